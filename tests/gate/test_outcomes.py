"""The words of verdicts."""

from __future__ import annotations

from pytest_beir.gate.outcomes import VERDICTS, worst


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
    assert worst(["improved", None, "inconclusive", "unchanged"]) == "inconclusive"
    assert worst(VERDICTS) == "error"
    assert worst([None]) is None
