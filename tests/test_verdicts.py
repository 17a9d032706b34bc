"""The words of verdicts."""

from __future__ import annotations

import pytest

from pytest_beir.verdicts import VERDICTS, worst


def test_the_words_go_from_worst_to_best() -> None:
    assert VERDICTS == (
        "error",
        "not comparable",
        "no baseline",
        "regressed",
        "inconclusive",
        "within tolerance",
        "improved",
        "unchanged",
    )


def test_the_worst_verdict_of_the_gated_metrics_counts() -> None:
    assert worst(["improved", "inconclusive", "unchanged"]) == "inconclusive"
    assert worst(VERDICTS) == "error"


def test_a_word_that_is_no_verdict_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        worst(["improved", "passed"])
