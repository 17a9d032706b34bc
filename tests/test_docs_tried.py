"""README, tutorial and examples do what they say: their files and commands, in order."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
import scipy.fft
import scipy.sparse
import scipy.special  # noqa: F401

import pytest_beir.plugin.controller
import pytest_beir.plugin.runner  # a nested run forgets what it imported, numpy included
from pytest_beir import cli
from pytest_beir.reports import html
from tests.test_docs import Block, blocks, commands
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
    page = [block for block in blocks() if block.page.name == "README.md"]
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
