"""The list of forms."""

from __future__ import annotations

from pathlib import Path

from pytest_beir.inspection.golden.forms import FORMS

PAGE = Path(__file__).resolve().parents[4] / "docs" / "your-own-data.md"
TESTS = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}


def test_every_form_has_a_file_and_a_test() -> None:
    files = {form.read.__module__.rpartition(".")[2] for form in FORMS}
    assert files == TESTS - {"forms"}


def test_the_page_lists_every_form_with_what_it_is_recognised_by() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for form in FORMS:
        assert f"| {form.name} | {form.recognised_by} |" in page
