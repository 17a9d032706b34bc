"""The page on red builds names options, flags and files that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.configuration.settings import Settings
from pytest_beir.evaluation.pins import read_pins
from pytest_beir.explanation.diagnosis import Diagnosis
from pytest_beir.explanation.loss_pattern import Enrichment
from pytest_beir.reports.diagnosis import sentences

if TYPE_CHECKING:
    import pytest

FOLDER = Path(__file__).resolve().parents[1] / "docs"
TEXT = (FOLDER / "when-it-is-red.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)


def test_every_option_is_declared(pytestconfig: pytest.Config) -> None:
    options = set(re.findall(r"--beir-[a-z-]+", TEXT))
    assert options
    for option in options:
        pytestconfig.getoption(option.removeprefix("--").replace("-", "_"))


def test_keys_of_the_config_exist() -> None:
    keys = set(re.findall(r"`(\w+):[ `]", TEXT))
    assert keys == {"groups", "pinned"}
    assert keys <= Settings.model_fields.keys()


def test_flags_are_those_of_the_summary() -> None:
    summary = (FOLDER / "reading-the-summary.md").read_text(encoding="utf-8")
    table = TEXT.partition("## What does each flag mean?")[2].partition("##")[0]
    flags = re.findall(r"^\| `([\w:-]+)` \|", table, re.MULTILINE)
    assert len(flags) >= 8
    for flag in flags:
        assert f"`{flag}`" in summary


def test_the_pins_of_the_page_can_be_read(tmp_path: Path) -> None:
    [table] = [block for block in BLOCKS if block.startswith("dataset\t")]
    path = tmp_path / "pinned.tsv"
    path.write_text(table, encoding="utf-8")
    [pin] = read_pins(path)
    assert (pin.dataset, pin.query, pin.rank) == ("docs", "reset-17", 3)


def test_sentences_of_the_page_are_those_that_are_printed() -> None:
    drop = Diagnosis(
        metric="nDCG@10",
        n=300,
        delta=-0.031,
        recall=-0.001,
        order=-0.03,
        worse=70,
        better=65,
        largest_losers_share=0.09,
        left=11,
        entered=16,
        fell=82,
        rose=81,
        deepest=(98, 99),
        beyond=0,
        enrichments=(
            Enrichment(
                "queries with long relevant documents (over 188 words)",
                "look at where documents are cut, and at how length is weighed",
                0.4967,
                1.54,
                39,
                22,
                0.0078,
            ),
        ),
    )
    printed = "\n".join(sentences(drop)).replace("\N{NO-BREAK SPACE}", " ")
    shown = [block.strip() for block in BLOCKS if not block.startswith("dataset\t")]
    assert len(shown) == 2
    for sentence in shown:
        assert sentence in printed
