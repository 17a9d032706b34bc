"""The page on one's own data, followed as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
import yaml

import tests.kept_modules  # noqa: F401
from pytest_beir.cli import main
from pytest_beir.gate.power import detectable_drop

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "your-own-data.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = re.findall(r"`([\w./-]+\.\w+)`:\n\n```\w+\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", TEXT, re.DOTALL)


class Done(NamedTuple):
    status: int
    output: str


@pytest.fixture
def run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], Done]:
    """Run a command line of the page in a folder that holds its files."""
    for name, text in FILES:
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(pytester.path / ".cache"))
    for name in ("CI", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    # Other installed plugins would slow every start.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p beir")

    def run_command(line: str) -> Done:
        program, *words = shlex.split(line)
        if program == "pytest-beir":
            status = main(words)
            return Done(status, capsys.readouterr().out)
        assert program == "pytest"
        done = pytester.runpytest_inprocess(*words)
        return Done(int(done.ret), done.stdout.str() + done.stderr.str())

    return run_command


def _follow(run: Callable[[str], Done], command: tuple[str, str]) -> None:
    line, excerpt = command
    done = run(line)
    assert done.status == 0, done.output
    for expected in excerpt.splitlines():
        assert expected == "..." or expected in done.output.splitlines()


def test_every_file_of_the_example_is_found() -> None:
    assert [name for name, _ in FILES] == [
        "golden.csv",
        "manual/heating/low-pressure.md",
        "manual/heating/no-hot-water.md",
        "manual/account/reset.txt",
        "manual/account/invoices.txt",
        "conftest.py",
        "beir.yaml",
    ]


def test_following_the_page_gives_a_gated_suite(
    run: Callable[[str], Done], pytester: pytest.Pytester
) -> None:
    imported, checked, matched, updated, compared, accepted = COMMANDS
    for line, output in (imported, checked):
        assert run(line) == (0, output)
    _follow(run, matched)
    first = run(compared[0])
    assert first.status == 1
    assert "no baseline" in first.output
    _follow(run, updated)
    _follow(run, compared)
    assert sorted(path.name for path in (pytester.path / "baselines" / "bm25").iterdir()) == [
        "manual.queries.tsv",
        "manual.yaml",
    ]

    with (pytester.path / "golden.csv").open("a", encoding="utf-8") as stream:
        stream.write("where do I find old invoices,account/invoices.txt,2,account\n")
    assert run(f"{imported[0]} --force").status == 0
    changed = run(compared[0])
    assert changed.status == 1
    assert "not comparable" in changed.output
    _follow(run, accepted)
    assert run(compared[0]).status == 0


def test_the_table_of_detectable_drops_is_computed() -> None:
    rows = re.findall(r"^\| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", TEXT, re.MULTILINE)
    assert len(rows) == 5
    for queries, *drops in rows:
        for drop, sd in zip(drops, (0.08, 0.16, 0.33), strict=True):
            assert float(drop) == round(100 * detectable_drop(sd, int(queries), 0.05), 1)


def test_the_yaml_of_the_page_is_read(
    run: Callable[[str], Done], pytester: pytest.Pytester
) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert [list(yaml.safe_load(block)) for block in blocks] == [["datasets"], ["profile"]]
    (pytester.path / "beir.yaml").write_text(blocks[1], encoding="utf-8")
    run(COMMANDS[0][0])
    assert "6 judged queries of 4.2 words" in run("pytest-beir match").output
