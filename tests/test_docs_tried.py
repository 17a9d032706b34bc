"""README, tutorial and examples do what they say: their files and commands, in order."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import pytest_beir
import tests.kept_modules  # noqa: F401
from pytest_beir import cli
from pytest_beir.reports import html
from tests.test_docs import ROOT, Block, blocks, commands
from tests.test_examples import ALONE, EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator


class Reader:
    """Somebody who makes the files of a page and types its commands."""

    def __init__(self, pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = pytester.path
        self._pytester = pytester
        self._capsys = capsys

    def type(self, words: list[str]) -> tuple[int, str]:
        """The status of one command, and what it printed."""
        if words[0] == "pytest-beir":
            status = cli.main(words[1:])
            return status, self._capsys.readouterr().out
        result = self._pytester.runpytest_inprocess("-p", "no:cacheprovider", *words[1:])
        return int(result.ret), result.stdout.str()

    def follow(self, page: list[Block]) -> Iterator[tuple[int, str]]:
        for block in page:
            if block.title:
                (self.folder / block.title).write_text(block.text, encoding="utf-8")
            elif block.language == "console":
                for words in commands(block):
                    if words[0] != "pip":
                        yield self.type(words)


@pytest.fixture
def reader(
    pytester: pytest.Pytester,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Reader:
    monkeypatch.setattr(html, "is_available", lambda: False)  # drawing takes seconds
    cli.parser()
    for name in pytest_beir.__all__:  # what is loaded late has to stay as well
        getattr(pytest_beir, name)
    for name in ("CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return Reader(pytester, capsys)


def sample(page: list[Block]) -> str:
    (shown,) = (block.text for block in page if block.language == "text")
    return shown


def test_the_tutorial_goes_as_it_says(reader: Reader) -> None:
    page = [block for block in blocks() if block.page.name == "tutorial.md"]
    imported, stored, compared, broken, accepted, listed = reader.follow(page)
    assert [imported[0], stored[0], compared[0], broken[0], accepted[0], listed[0]] == [
        0, 0, 0, 1, 0, 0,
    ]  # fmt: skip
    assert "unchanged" in compared[1]
    assert sample(page) in broken[1]
    assert "titles are" in listed[1]


def test_the_readme_goes_as_it_says(reader: Reader) -> None:
    page = [block for block in blocks() if block.page == ROOT / "README.md"]
    steps = reader.follow(page)
    assert next(steps)[0] == 0
    assert next(steps)[0] == 0
    conftest = reader.folder / "conftest.py"
    fixture = conftest.read_text(encoding="utf-8")
    conftest.write_text(fixture.replace("BM25()  #", 'BM25(fields=["text"])  #'), encoding="utf-8")
    status, output = next(steps)
    assert status == 1
    assert sample(page) in output


@pytest.mark.parametrize("name", ALONE)
def test_an_example_stores_a_baseline_and_passes_against_it(name: str, reader: Reader) -> None:
    shutil.copytree(EXAMPLES / name, reader.folder, dirs_exist_ok=True)
    for words in (["pytest", "--beir", "--beir-update"], ["pytest", "--beir"]):
        status, output = reader.type(words)
        assert status == 0, output
    assert "unchanged" in output


FURNISHED = [
    "averages.md",
    "baselines-and-review.md",
    "ci.md",
    "gpu-and-noise.md",
    "index.md",
    "pull-requests.md",
    "slow-and-paid-retrievers.md",
    "when-it-is-red.md",
    "which-datasets.md",
]


@pytest.fixture
def furnished(reader: Reader) -> Reader:
    """A reader whose project has all that the pages speak of: data, baselines, history, reports."""
    names = ("scifact", "nfcorpus", "fiqa", "docs")
    words = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron")
    for name in names:
        home = reader.folder / "data" / name
        (home / "qrels").mkdir(parents=True)
        documents = [{"_id": f"d{word}", "title": word, "text": f"about {word}"} for word in words]
        queries = [{"_id": f"q{word}", "text": f"find {word}"} for word in words]
        for file, rows in (("corpus", documents), ("queries", queries)):
            text = "".join(json.dumps(row) + "\n" for row in rows)
            (home / f"{file}.jsonl").write_text(text, encoding="utf-8")
        judged = "".join(f"q{word}\td{word}\t1\n" for word in words)
        (home / "qrels" / "test.tsv").write_text(judged, encoding="utf-8")
    entries = "".join(f"  - {{name: {name}, path: data/{name}}}\n" for name in names)
    suites = "suites: {nightly: [scifact, docs]}\n"
    (reader.folder / "beir.yaml").write_text(f"datasets:\n{entries}{suites}", encoding="utf-8")
    (reader.folder / "scores.csv").write_text(
        "model,dataset,split,metric,value\nx,scifact,test,nDCG@10,0.6\ny,scifact,test,nDCG@10,0.7\n"
    )
    conftest = "".join(block.text for block in blocks() if block.title == "conftest.py")
    fixture = conftest[: conftest.index("BM25()")] + "BM25()\n"
    (reader.folder / "conftest.py").write_text(fixture, encoding="utf-8")
    update = ["pytest", "--beir", "--beir-update", "--beir-report=report"]
    assert reader.type(update)[0] == 0
    for line in (
        "init --quiet --initial-branch=main",
        "add conftest.py beir.yaml baselines",
        "-c user.name=A -c user.email=a@localhost commit --quiet --message=first",
        "update-ref refs/remotes/origin/main HEAD",
    ):
        subprocess.run(["git", *line.split()], cwd=reader.folder, check=True)  # noqa: S607
    return reader


@pytest.mark.parametrize("name", FURNISHED)
def test_the_commands_of_a_page_run_in_a_project_that_has_what_they_name(
    name: str, furnished: Reader
) -> None:
    page = [block for block in blocks("console") if block.page.name == name]
    done = list(furnished.follow(page))
    assert done
    for status, output in done:
        assert status == 0, output
