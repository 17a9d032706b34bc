"""A changed baseline in a line, as a reviewer reads it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.change import BaselineChange, changes
from pytest_beir.reports.baseline_changes import change_line

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from tests.conftest import Lab


def accepted(baseline: Baseline, reason: str | None = None) -> Baseline:
    """The same, accepted as a drop."""
    acceptance = Acceptance("2026-03-01", "beef123", "dropped", reason)
    return replace(baseline, history=replace(baseline.history, accepted=acceptance))


def change(before: Baseline | None, after: Baseline | None) -> BaselineChange:
    return BaselineChange("bm25", "docs", before, after)


def test_the_line_has_both_means_what_moved_and_why(lab: Lab) -> None:
    before = lab.baseline(lab.measurement())
    now = lab.measurement(lab.late(10))
    # A quarter of the queries finds its document at rank 5: 1 - (1 - 1 / log2(6)) / 4.
    moved = accepted(lab.baseline(now, lab.measurement()), "half the latency")
    assert change_line(change(before, moved)) == (
        "nDCG@10 1.000 → .847 (10 of 40 queries moved);"
        " R@100 1.000 → 1.000 (0 of 40 queries moved); dropped: half the latency"
    )
    anchored = accepted(lab.baseline(now))
    assert change_line(change(before, anchored)) == (
        "nDCG@10 1.000 → .847 (10 of 40 queries moved; anchor 1.000 → .847);"
        " R@100 1.000 → 1.000 (0 of 40 queries moved); dropped"
    )


def test_what_is_new_gone_or_unreadable_is_said(lab: Lab) -> None:
    whole = lab.baseline(lab.measurement())
    first = change_line(change(None, whole))
    assert first.startswith("nDCG@10 1.000, which is new; R@100 1.000, which is new; ")
    assert change_line(change(whole, None)) == "deleted"
    broken = BaselineChange("bm25", "docs", None, None, "docs.yaml:3: no number")
    assert change_line(broken) == "docs.yaml:3: no number"
    scores = replace(whole.scores, values={"R@100": whole.current["R@100"]})
    narrow = replace(whole, scores=scores, anchor={"R@100": whole.anchor["R@100"]})
    assert change_line(change(narrow, whole)).startswith(
        "nDCG@10 1.000, which is new; R@100 1.000 → 1.000 (0 of 40"
    )


def test_the_queries_that_moved_are_those_of_both_largest_loss_first(lab: Lab) -> None:
    before = lab.baseline(lab.measurement({"q00": 2, "q01": 3, "q05": 5}))
    after = lab.baseline(lab.measurement({"q00": 1, "q02": 0, "q03": 5, "q04": 5, "q05": 5}))
    moved = change(before, after).moved("nDCG@10")
    assert list(moved) == ["q02", "q03", "q04", "q00", "q01"]
    assert moved["q02"] == (1.0, 0.0)
    assert moved["q01"] == pytest.approx((0.5, 1.0))
    assert change(before, after).moved("P@5") == {}
    assert change(None, after).moved("nDCG@10") == change(before, None).moved("nDCG@10") == {}


def test_two_folders_differ_in_what_only_one_has_or_both_have_otherwise(
    lab: Lab, tmp_path: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for name, homes in {"same": (old, new), "gone": (old,), "added": (new,)}.items():
        for home in homes:
            store.save(home, lab.baseline(lab.measurement(name=name)))
    store.save(old, lab.baseline(lab.measurement(name="moved")))
    store.save(new, lab.baseline(lab.measurement(lab.late(1), "moved")))
    for home in (old, new):
        store.save(home, lab.baseline(lab.measurement(name="broken")))
    store.paths(new, "bm25", "broken")[0].write_text("scores: [")
    found = changes(old, new)
    assert [(c.dataset, c.before is not None, c.after is not None) for c in found] == [
        ("added", False, True),
        ("broken", False, False),
        ("gone", True, False),
        ("moved", True, True),
    ]
    assert [each.problem is not None for each in found] == [False, True, False, False]
