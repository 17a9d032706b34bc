"""The pages on calibration hold what their generator writes: its chapters, tables and sentences."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERDICTS = {
    "tolerance": "tolerance",
    "sessions": "harmless",
    "suites": "suites",
    "small": "small_sets",
}
RESULT = re.compile(r"[\d,]*\.?\d+")
# Which population or kind of change is the worst one is a result too.
WORST = re.compile(r"(?<=worst population \()[^)]*|(?<=kind of change \()[^)]*")
CHAPTER = re.compile(r"^## (.*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def calibration() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        yield lambda name: import_module(f"benchmarks.calibration.{name}")


@pytest.fixture(scope="module")
def made(calibration: Any, shared_data: Path) -> str:
    """The page on verdicts, from two replicates of everything."""
    pairs = calibration("pairs").Pairs(shared_data / "perquery" / "paperpilot")
    runs = shared_data / "runs" / "trec-robust03"
    results = {
        name: calibration(module).measure(pairs, runs, 0.0) for name, module in VERDICTS.items()
    }
    page = calibration("report").render_verdicts(SimpleNamespace(**results))
    assert isinstance(page, str)
    return page


def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def _without_results(page: str) -> list[str]:
    return [RESULT.sub("#", WORST.sub("", line)) for line in page.splitlines()]


def test_the_page_has_the_chapters_tables_and_sentences_of_its_generator(made: str) -> None:
    assert _without_results(_page("calibration.md")) == _without_results(made)


def test_five_sentences_stand_first_and_six_chapters_follow() -> None:
    answers, introduction, *chapters = CHAPTER.findall(_page("calibration.md"))
    assert (answers, introduction) == ("The answers first", "What was measured")
    assert [chapter[:2] for chapter in chapters] == [f"{number}." for number in range(1, 7)]
    first = _page("calibration.md").split("\n## ")[1]
    assert re.findall(r"^(\d)\. .+\.$", first, re.MULTILINE) == list("12345")


def test_the_page_on_the_test_has_the_chapters_of_its_generator(calibration: Any) -> None:
    modules = ("alarms_chapter", "report", "baselines_chapter")
    source = "".join(Path(calibration(name).__file__).read_text("utf-8") for name in modules)
    chapters = CHAPTER.findall(_page("calibration-test.md"))
    assert len(chapters) == 5
    assert [chapter for chapter in chapters if f"## {chapter}\n" not in source] == []
