"""The guide shows what the summary really prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.reports.story import compose
from pytest_beir.reports.terminal import summary

if TYPE_CHECKING:
    from pytest_beir.suite.run import SuiteRun

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "reading-the-summary.md"


def test_its_sample_is_a_summary(realistic_run: SuiteRun) -> None:
    block = re.search(r"```text\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    assert block[1] == "\n".join(line.text for line in summary(compose(realistic_run))) + "\n"
