"""What an update may write: the table, and how several metrics decide together.

C is the current vector, A the anchor, X today's scores. Words in and words out: the verdicts
themselves are the gate's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, get_args

from pytest_beir.baselines.baseline import Category

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
# What --beir-update permits; --beir-accept names the others one by one.
UPDATE: Final[frozenset[Category]] = frozenset({"new", "improved"})
_REASONED = frozenset({"neutral", "dropped"})  # what is named to store a change as what it is
_HARMLESS = frozenset({"new", "improved", "neutral"})

NO_BASELINE = "no baseline"
NOT_COMPARABLE = "not comparable"
REGRESSED = "regressed"
UNCHANGED = "unchanged"
IMPROVED = "improved"
WITHIN = "within tolerance"
INCONCLUSIVE = "inconclusive"
ERROR = "error"
NOTHING = "nothing scored"
"""`no baseline`, and every gated metric is 0 on all queries."""


@dataclass(frozen=True)
class Update:
    """Which vectors today's scores replace, and the category that permitted it."""

    category: Category
    current: bool
    anchor: bool


@dataclass(frozen=True)
class UpdateRow:
    """A line of the table; the first that fits decides. `None` in `anchor` is C and A equal.

    An empty set fits everything. `entries` maps a category to the vectors that become X.
    """

    current: frozenset[str]
    anchor: frozenset[str | None]
    entries: Mapping[Category, str]


_ANY: frozenset[str] = frozenset()
_BOTH: dict[Category, str] = {"improved": "CA", "neutral": "CA", "dropped": "CA"}

TABLE: Final[tuple[UpdateRow, ...]] = (
    UpdateRow(frozenset({ERROR}), _ANY, {}),
    UpdateRow(frozenset({NO_BASELINE}), _ANY, {"new": "CA"}),
    UpdateRow(frozenset({NOTHING}), _ANY, {"dropped": "CA"}),
    UpdateRow(frozenset({NOT_COMPARABLE}), _ANY, {"incomparable": "CA"}),
    UpdateRow(frozenset({UNCHANGED}), frozenset({REGRESSED}), {"dropped": "A"}),
    UpdateRow(frozenset({UNCHANGED}), _ANY, {}),
    UpdateRow(_ANY, frozenset({REGRESSED}), {"dropped": "CA"}),
    UpdateRow(frozenset({REGRESSED}), _ANY, {"dropped": "CA"}),
    UpdateRow(frozenset({IMPROVED}), frozenset({IMPROVED, None}), _BOTH),
    UpdateRow(frozenset({IMPROVED}), _ANY, {"improved": "C", "neutral": "C", "dropped": "CA"}),
    UpdateRow(frozenset({WITHIN}), frozenset({IMPROVED}), _BOTH),
    UpdateRow(
        frozenset({WITHIN}),
        frozenset({UNCHANGED, WITHIN, None}),
        {"neutral": "C", "dropped": "CA"},
    ),
    UpdateRow(frozenset({WITHIN}), frozenset({INCONCLUSIVE}), {"dropped": "CA"}),
    UpdateRow(frozenset({INCONCLUSIVE}), _ANY, {"dropped": "CA"}),
)


def decide(
    against_current: str, against_anchor: str | None, permitted: Collection[str]
) -> Update | None:
    """What one metric's verdicts allow: the rightmost permitted column of its row, or None.

    `against_current` and `against_anchor` are verdict words, each against that vector alone;
    `against_anchor` is None where both vectors are equal after rounding.
    """
    for row in TABLE:
        if (not row.current or against_current in row.current) and (
            not row.anchor or against_anchor in row.anchor
        ):
            allowed = [category for category in CATEGORIES if category in permitted]
            entries = [category for category in allowed if category in row.entries]
            if not entries:
                return None
            return Update(
                entries[-1],
                current="C" in row.entries[entries[-1]],
                anchor="A" in row.entries[entries[-1]],
            )
    raise ValueError(f"no verdict: {against_current!r}, {against_anchor!r} against the anchor")


@dataclass(frozen=True)
class MetricOutcome:
    """One recorded metric's verdicts, as words; see `decide`.

    `dropped` says that against C or A p_drop is at most the level (for an ungated metric that of
    its dataset) and the loss at least min_effect. A metric that the baseline lacks is
    `no baseline`. `is_zero` says that today's scores are 0 on every query.
    """

    metric: str
    gated: bool
    against_current: str
    against_anchor: str | None = None
    dropped: bool = False
    is_zero: bool = False

    @property
    def has_moved(self) -> bool:
        """Whether there is anything to decide: unchanged scores need no entry."""
        return self.against_current != UNCHANGED or self.against_anchor == REGRESSED


@dataclass(frozen=True)
class Plan:
    """What is to be written for a dataset; `refused` says why a permitted update is not."""

    update: Update | None = None
    refused: str | None = None


def plan(outcomes: Sequence[MetricOutcome], permitted: Collection[str]) -> Plan:
    """What all recorded metrics of a dataset allow together.

    Every gated metric that has moved needs an entry; the anchor moves only if all of them move
    it. An ungated metric follows, but one that the baseline lacks is *new* even where no gated
    one has moved. While any metric has dropped, only a permitted *dropped* lets anything be
    written over a comparable baseline.
    """
    if any(outcome.against_current == ERROR for outcome in outcomes if outcome.gated):
        return Plan()
    gated = [outcome for outcome in outcomes if outcome.gated]
    if gated and all(o.against_current == NO_BASELINE and o.is_zero for o in gated):
        return _plan_nothing(gated, permitted)
    moved = [outcome for outcome in gated if outcome.has_moved]
    if not moved:
        moved = [outcome for outcome in outcomes if outcome.against_current == NO_BASELINE]
    decided = [
        (outcome, decide(outcome.against_current, outcome.against_anchor, permitted))
        for outcome in moved
    ]
    updates = [update for _, update in decided if update is not None]
    if not updates:
        return Plan(refused=_unfit(decided) if {*permitted} & _REASONED else None)
    if len(updates) < len(decided):
        return Plan(refused=_blocked(decided))
    category = max((update.category for update in updates), key=CATEGORIES.index)
    dropped = " and ".join(outcome.metric for outcome in outcomes if outcome.dropped)
    harmless = [update.category for update in updates if update.category in _HARMLESS]
    if dropped and harmless and "dropped" not in permitted:
        return Plan(
            refused=f"{harmless[0]} is refused while {dropped} has dropped significantly;"
            " accepting 'dropped', with a reason, takes it all the same"
        )
    return Plan(Update(category, any(u.current for u in updates), _moves_anchor(outcomes, decided)))


def _plan_nothing(gated: Sequence[MetricOutcome], permitted: Collection[str]) -> Plan:
    """A first baseline of 0 on every query: any later run would pass beside it."""
    update = decide(NOTHING, None, permitted)
    if update is not None or "new" not in permitted:
        return Plan(update)
    names = " and ".join(outcome.metric for outcome in gated)
    return Plan(
        refused=f"{names} is 0 on every query, and no drop would show against that; accepting"
        " 'dropped', with a reason, stores it all the same"
    )


def _moves_anchor(
    outcomes: Sequence[MetricOutcome], decided: Sequence[tuple[MetricOutcome, Update | None]]
) -> bool:
    # A metric that the baseline lacks has no anchor to defend, so it does not move the others'.
    stored = [
        update
        for outcome, update in decided
        if update is not None and outcome.against_current != NO_BASELINE
    ]
    if stored:
        return all(update.anchor for update in stored)
    return all(outcome.against_current == NO_BASELINE for outcome in outcomes)


def _blocked(decided: Sequence[tuple[MetricOutcome, Update | None]]) -> str:
    allowed = " and ".join(outcome.metric for outcome, update in decided if update is not None)
    blocking = [(outcome, _needed(outcome)) for outcome, update in decided if update is None]
    words = " and ".join(
        f"{outcome.metric} ({_word(outcome)}) needs {' or '.join(map(repr, needed))}"
        for outcome, needed in blocking
    )
    return (
        f"{allowed} could be written, but gated metrics are written together, and {words}"
        " to be accepted"
    )


def _unfit(decided: Sequence[tuple[MetricOutcome, Update | None]]) -> str | None:
    """Why an explicit order to store does not store what is inconclusive."""
    unsure = [each.metric for each, _ in decided if each.against_current == INCONCLUSIVE]
    if not unsure:
        return None
    return (
        f"{' and '.join(unsure)} is inconclusive; accepting 'dropped', with a reason, stores any"
        " change, a gain that is not significant too"
    )


def _word(outcome: MetricOutcome) -> str:
    against = f", {outcome.against_anchor} against the anchor" if outcome.against_anchor else ""
    return f"{outcome.against_current}{against}"


def _needed(outcome: MetricOutcome) -> list[str]:
    return [
        category
        for category in CATEGORIES
        if decide(outcome.against_current, outcome.against_anchor, (category,))
    ]
