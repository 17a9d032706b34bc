"""Every block of the README and the docs: commands parse, configurations load, Python runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import pytest

from pytest_beir import cli
from pytest_beir.configuration.config import load_config
from pytest_beir.retrieval.adapters import adapted
from pytest_beir.retrieval.retriever import wrap

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
_FENCE = re.compile(
    r"^```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block and where it begins; `title` is the file that it is."""

    page: Path
    line: int
    language: str
    text: str
    title: str | None = None


def blocks(*languages: str) -> list[Block]:
    found = []
    for page in PAGES:
        content = page.read_text(encoding="utf-8")
        for match in _FENCE.finditer(content):
            if not languages or match["language"] in languages:
                line = content.count("\n", 0, match.start()) + 1
                found.append(Block(page, line, match["language"], match["text"], match["title"]))
    return found


def place(block: Block) -> str:
    return f"{block.page.name}:{block.line}"


def commands(block: Block) -> list[list[str]]:
    """The words of each command, comments left out; output has no prompt before it."""
    lines = block.text.replace("\\\n", " ").splitlines()
    prompted = any(line.startswith("$ ") for line in lines)
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ") or not prompted]
    words = [shlex.split(line, comments=True) for line in typed]
    joined = [part for line in words for part in _split(line)]
    return [part for part in joined if part]


def _split(words: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


CONSOLE = blocks("console")


def test_there_are_pages_with_blocks_of_each_kind() -> None:
    assert len(PAGES) > 8
    assert len(CONSOLE) > 8
    assert len(blocks("yaml")) > 5


@pytest.mark.parametrize("block", CONSOLE, ids=place)
def test_commands_are_those_that_exist(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    options = pytest_options()
    seen = 0
    for words in commands(block):
        if words[0] == "pytest-beir" and "--help" not in words:
            given = cli.parser().parse_args(words[1:])
            assert callable(given.run)
            seen += 1
        elif words[0] == "pytest":
            named = {word.split("=")[0] for word in words[1:] if word.startswith("--beir")}
            assert named <= options, named - options
            seen += 1
    assert seen or any("pip" in words for words in commands(block)), capsys.readouterr().err


def pytest_options() -> set[str]:
    text = (ROOT / "pytest_beir" / "plugin" / "declared_options.py").read_text(encoding="utf-8")
    return set(re.findall(r'"(--beir[a-z-]*)"', text))


CONFIGURATIONS = [block for block in blocks("yaml") if block.title in (None, "beir.yaml")]


@pytest.mark.parametrize("block", CONFIGURATIONS, ids=place)
def test_configurations_load(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "beir.yaml"
    file.write_text(block.text, encoding="utf-8")
    assert load_config(file).file == file


PYTHON = sorted({block.page for block in blocks("python")})


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.name)
def test_python_blocks_run_in_order(
    page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What stands outside of functions; the tests of some pages call the fixtures too."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks("python"):
        if block.page == page:
            exec(compile(block.text, place(block), "exec"), namespace)  # noqa: S102  # our own pages


GIVEN = [  # what a page hands over as a retriever, without a service or a framework
    block
    for block in blocks("python")
    if re.search("^retriever = |^def retriever", block.text, re.MULTILINE)
    and not re.search(
        "^    (import|from) |^# conftest.py:|request|retriever_of", block.text, re.MULTILINE
    )
]


@pytest.mark.parametrize("block", GIVEN, ids=place)
def test_a_retriever_of_a_page_has_a_known_form(block: Block) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    text = re.sub(r"@pytest\.fixture.*\n", "", block.text)
    exec(text, names)  # noqa: S102  # our own pages
    given = names["retriever"]
    value = given() if isinstance(given, FunctionType) else given
    assert wrap(adapted(value)).rankings is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_named_in_the_text_exist(page: Path) -> None:
    named = set(re.findall(r"`(?:pytest )?(--beir[a-z-]*)", page.read_text(encoding="utf-8")))
    assert named <= pytest_options(), named - pytest_options()
