"""The page on the command line, followed as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir import cli, provenance

if TYPE_CHECKING:
    from tests.commands.conftest import Ranks, Workshop

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "command-line.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ (pytest-beir .*?)\n(.*?)```", TEXT, re.DOTALL)
NAMES = [*cli.COMMANDS]
FAILING = {"compare", "merge"}  # the examples that show a drop


@pytest.fixture
def project(workshop: Workshop, monkeypatch: pytest.MonkeyPatch, dropped: Ranks) -> Workshop:
    """What the page's commands find: two datasets, baselines, runs, shards, own judgements."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(provenance, "today", lambda: "2026-03-17")
    for name in ("docs", "faq"):
        workshop.dataset(name)
        workshop.store(name)
    workshop.store("faq", {"q00": 2, "q01": 2}, anchor=False, reason="another tokenizer")
    workshop.trec("runs/old.trec", "docs")
    workshop.trec("runs/new.trec", "docs", {f"q{number:02d}": 4 for number in range(6)})
    lost = {f"q{number:02d}": 3 for number in range(8)}
    for report, only in (("shard-1", ["docs"]), ("shard-2", ["faq"]), ("report", None)):
        workshop.job(report, {"docs": lost}, only=only)
    files = {
        "golden.csv": "query,doc_id,rating\nwide shoes,1,2\n",
        "texts.jsonl": '{"id": "1", "title": "Shoes", "text": "Shoes with a wide toe box"}\n',
        "scores.csv": "model,dataset,split,metric,value\n"
        "x,scifact,test,nDCG@10,0.6\nx,nfcorpus,test,nDCG@10,0.3\n"
        "y,scifact,test,nDCG@10,0.7\ny,nfcorpus,test,nDCG@10,0.2\n",
    }
    for name, content in files.items():
        (workshop.path / name).write_text(content)
    return workshop


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[c.split()[1] for c, _ in BLOCKS])
def test_an_example_runs_and_prints_what_the_page_shows(
    project: Workshop, capsys: pytest.CaptureFixture[str], command: str, shown: str
) -> None:
    _, name, *words = shlex.split(command)
    if name == "fetch":
        pytest.skip("needs the network")
    assert project.run(name, *words) == (name in FAILING)
    printed = capsys.readouterr().out.replace(f"{project.path}/", "")
    lines = [line.rstrip() for line in printed.splitlines()]
    for line in shown.splitlines():
        if line != "…":
            assert line in lines
            del lines[: lines.index(line) + 1]


def test_every_command_has_a_row_and_a_section_with_an_example() -> None:
    assert re.findall(r"^## (.+)$", TEXT, re.MULTILINE) == re.findall(
        r"^\| \[`(.+?)`\]", TEXT, re.MULTILINE
    )
    assert {command.split()[1] for command, _ in BLOCKS} == set(NAMES)
    assert set(re.findall(r"^## (.+)$", TEXT, re.MULTILINE)) == set(NAMES)


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / target).is_file(), target
