"""The update table, cell by cell, and how several metrics decide together."""

from __future__ import annotations

from itertools import combinations

import pytest

from pytest_beir.baselines.update import UPDATE, MetricOutcome, Plan, Update, decide, plan

COLUMNS = ("new", "improved", "neutral", "dropped", "incomparable")

# One mark for each of COLUMNS: the vectors that become today's scores, B being both.
GRID = """
against C        | C = A | unchanged | improved | within tolerance | inconclusive | regressed
unchanged        | ..... | .....     | .....    | .....            | .....        | ...A.
improved         | .BBB. | .CCB.     | .BBB.    | .CCB.            | .CCB.        | ...B.
within tolerance | ..CB. | ..CB.     | .BBB.    | ..CB.            | ...B.        | ...B.
inconclusive     | ...B. | ...B.     | ...B.    | ...B.            | ...B.        | ...B.
regressed        | ...B. | ...B.     | ...B.    | ...B.            | ...B.        | ...B.
no baseline      | B.... |           |          |                  |              |
not comparable   | ....B |           |          |                  |              |
error            | ..... |           |          |                  |              |
"""


def cells() -> list[tuple[str, str | None, str]]:
    head, *rows = [[cell.strip() for cell in line.split("|")] for line in GRID.strip().splitlines()]
    anchors: list[str | None] = [None, *head[2:]]
    return [
        (row[0], anchor, marks)
        for row in rows
        for anchor, marks in zip(anchors, row[1:], strict=True)
        if marks
    ]


def subsets() -> list[frozenset[str]]:
    return [frozenset(chosen) for size in range(6) for chosen in combinations(COLUMNS, size)]


@pytest.mark.parametrize(("current", "anchor", "marks"), cells())
def test_the_rightmost_permitted_column_with_an_entry_decides(
    current: str, anchor: str | None, marks: str
) -> None:
    for permitted in subsets():
        expected = None
        for column, mark in zip(COLUMNS, marks, strict=True):
            if column in permitted and mark != ".":
                expected = (column, mark in "CB", mark in "AB")
        found = decide(current, anchor, permitted)
        assert (found and (found.category, found.current, found.anchor)) == expected, permitted


def test_every_pair_of_verdicts_has_a_cell() -> None:
    assert len(cells()) == 5 * 6 + 3


def test_a_word_that_is_no_verdict_is_refused() -> None:
    with pytest.raises(ValueError, match="no verdict: 'better'"):
        decide("better", None, UPDATE)


def gated(current: str, anchor: str | None = None, *, dropped: bool = False) -> MetricOutcome:
    return MetricOutcome("nDCG@10", True, current, anchor, dropped)  # noqa: FBT003


def other(
    current: str, anchor: str | None = None, *, gated: bool = True, dropped: bool = False
) -> MetricOutcome:
    return MetricOutcome("R@100", gated, current, anchor, dropped)


BOTH = {"current": True, "anchor": True}
C_ONLY = {"current": True, "anchor": False}
A_ONLY = {"current": False, "anchor": True}


@pytest.mark.parametrize(
    ("outcomes", "permitted", "expected"),
    [
        # one metric
        ([gated("no baseline")], {"new"}, Update("new", **BOTH)),
        ([gated("no baseline")], {"dropped", "neutral", "incomparable", "improved"}, None),
        ([gated("unchanged")], set(COLUMNS), None),
        ([gated("error")], set(COLUMNS), None),
        ([gated("regressed", dropped=True)], {"dropped"}, Update("dropped", **BOTH)),
        ([gated("unchanged", "regressed", dropped=True)], {"dropped"}, Update("dropped", **A_ONLY)),
        # two gated metrics: both need an entry, A moves only if both move it
        ([gated("improved"), other("improved")], UPDATE, Update("improved", **BOTH)),
        ([gated("improved"), other("improved", "unchanged")], UPDATE, Update("improved", **C_ONLY)),
        ([gated("improved"), other("unchanged")], UPDATE, Update("improved", **BOTH)),
        (
            [gated("improved"), other("within tolerance")],
            {"improved", "neutral"},
            Update("neutral", **C_ONLY),
        ),
        (
            [gated("improved"), other("inconclusive")],
            {"improved", "dropped"},
            Update("dropped", **BOTH),
        ),
        (
            [gated("unchanged", "regressed", dropped=True), other("regressed", dropped=True)],
            {"dropped"},
            Update("dropped", **BOTH),
        ),
        (
            [gated("not comparable"), other("not comparable")],
            {"incomparable"},
            Update("incomparable", **BOTH),
        ),
        (
            [gated("not comparable"), other("improved", "inconclusive")],
            {"incomparable", "improved"},
            Update("incomparable", **C_ONLY),
        ),
        # an error in one is an error in all
        ([gated("improved"), other("error")], set(COLUMNS), None),
        # a metric that the baseline lacks is new, and does not move the others' anchor
        ([gated("no baseline"), other("no baseline", gated=False)], UPDATE, Update("new", **BOTH)),
        ([gated("unchanged"), other("no baseline")], UPDATE, Update("new", **C_ONLY)),
        ([gated("unchanged"), other("no baseline", gated=False)], UPDATE, Update("new", **C_ONLY)),
        ([gated("improved"), other("no baseline")], UPDATE, Update("improved", **BOTH)),
        ([gated("no baseline"), other("improved", gated=False)], UPDATE, Update("new", **C_ONLY)),
        # an ungated metric follows
        (
            [gated("improved"), other("inconclusive", gated=False)],
            UPDATE,
            Update("improved", **BOTH),
        ),
        ([gated("unchanged"), other("improved", gated=False)], set(COLUMNS), None),
        ([gated("unchanged"), other("regressed", gated=False, dropped=True)], set(COLUMNS), None),
        # unless it has dropped
        (
            [gated("improved"), other("regressed", gated=False, dropped=True)],
            {"improved", "dropped"},
            Update("dropped", **BOTH),
        ),
        (
            [gated("not comparable"), other("regressed", gated=False, dropped=True)],
            {"incomparable"},
            Update("incomparable", **BOTH),
        ),
        # not permitted at all
        ([gated("regressed", dropped=True)], UPDATE, None),
        ([gated("improved"), other("improved")], set(), None),
    ],
)
def test_a_datasets_metrics_decide_together(
    outcomes: list[MetricOutcome], permitted: set[str], expected: Update | None
) -> None:
    assert plan(outcomes, permitted) == Plan(expected)
    assert plan(outcomes[::-1], permitted) == Plan(expected)


@pytest.mark.parametrize(
    ("outcomes", "permitted", "words"),
    [
        (
            [gated("improved"), other("inconclusive")],
            UPDATE,
            "gated metrics are written together, and R@100 (inconclusive) needs 'dropped' to be",
        ),
        (
            [gated("improved"), other("within tolerance", "unchanged")],
            UPDATE,
            "R@100 (within tolerance, unchanged against the anchor) needs 'neutral' or 'dropped'",
        ),
        (
            [gated("unchanged", "regressed", dropped=True), other("improved")],
            UPDATE,
            "nDCG@10 (unchanged, regressed against the anchor) needs 'dropped'",
        ),
        ([gated("unchanged"), other("no baseline"), gated("regressed")], UPDATE, "needs 'dropped'"),
        (
            [gated("improved"), other("inconclusive", gated=False, dropped=True)],
            UPDATE,
            "improved is refused while R@100 has dropped significantly; accepting 'dropped'",
        ),
        (
            [gated("within tolerance", dropped=True)],
            {"neutral"},
            "neutral is refused while nDCG@10 has dropped significantly",
        ),
        (
            [
                gated("unchanged"),
                other("no baseline"),
                other("regressed", gated=False, dropped=True),
            ],
            UPDATE,
            "new is refused while R@100",
        ),
        (
            [
                gated("not comparable"),
                other("improved"),
                MetricOutcome("P@10", False, "inconclusive", dropped=True),  # noqa: FBT003
            ],
            {"improved", "incomparable"},
            "improved is refused while P@10",
        ),
    ],
)
def test_a_permitted_update_that_is_not_made_says_why(
    outcomes: list[MetricOutcome], permitted: set[str], words: str
) -> None:
    made = plan(outcomes, permitted)
    assert made.update is None
    assert made.refused is not None
    assert words in made.refused


def test_an_update_permits_new_and_improved_alone() -> None:
    assert set(UPDATE) == {"new", "improved"}


def test_an_order_to_store_what_is_inconclusive_is_answered() -> None:
    unsure = [MetricOutcome("nDCG@10", gated=True, against_current="inconclusive")]
    assert plan(unsure, {"new", "improved"}) == Plan()
    refused = plan(unsure, {"new", "improved", "neutral"}).refused
    assert refused is not None
    assert refused.startswith("nDCG@10 is inconclusive; accepting 'dropped', with a reason, stores")
    stored = plan(unsure, {"dropped"}).update
    assert stored is not None
    assert stored.category == "dropped"
