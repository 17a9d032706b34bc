"""Every flag that a run may show: what it means, and whether it may fail the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Flag:
    """A remark that changes no verdict.

    `meaning` is what the user reads of it. `may_fail` says whether `--beir-strict` takes it, and
    `fails_by_default` whether it does so without being named. `per_metric` flags are followed by
    the metric's name: `suspect:R@100`. A flag `of_the_run` belongs to no dataset.
    """

    name: str
    meaning: str
    may_fail: bool = True
    fails_by_default: bool = False
    per_metric: bool = False
    of_the_run: bool = False


FLAGS: Final = (
    Flag(
        "likely-drop",
        "the drop reaches the margin and is probably real, but the queries are too few to prove it",
        fails_by_default=True,
    ),
    Flag(
        "suspect",
        "this metric dropped with p of at most .01, and the gate does not fail for it",
        per_metric=True,
    ),
    Flag(
        "drift",
        "the score lies more than half the margin below the anchor, the last score accepted with "
        "a reason",
    ),
    Flag(
        "toothless",
        "there are so few queries that losing every one of them would not be significant: this "
        "test can never fail; judge more queries, or set a floor",
    ),
    Flag(
        "fragile",
        "the three queries that lost most carry over half of the loss",
        may_fail=False,
    ),
    Flag(
        "pool-suspect",
        "unjudged documents may explain the drop: judge those in the new top ten",
        may_fail=False,
    ),
    Flag(
        "pool-unverifiable",
        "more than half of the top ten is new, and nothing says what of it is relevant",
        may_fail=False,
    ),
    Flag(
        "contaminated",
        "the retriever was trained on this dataset, so the score is not zero-shot",
        fails_by_default=True,
    ),
    Flag(
        "corpus-changed",
        "the documents differ from those of the baseline",
        fails_by_default=True,
    ),
    Flag(
        "differs-from-catalogue",
        "the data are not the official ones: scores do not compare with published ones",
    ),
    Flag("inconclusive", "the gate cannot tell"),
    Flag(
        "stale-baseline",
        "the score improved, and the baseline still holds the old one",
    ),
    Flag(
        "resumed",
        "rankings were taken from an earlier run",
        may_fail=False,
    ),
    Flag(
        "resumed-other-code",
        "other code made rankings that were taken from an earlier run: no baseline is written",
        may_fail=False,
    ),
    Flag(
        "ids-unchecked",
        "there was no corpus to check document ids against",
        may_fail=False,
    ),
    Flag(
        "did-not-run",
        "a declared dataset has no result",
        fails_by_default=True,
        of_the_run=True,
    ),
    Flag(
        "average-withheld",
        "there is no average over the suite",
        fails_by_default=True,
        of_the_run=True,
    ),
    Flag(
        "unused-baseline",
        "a stored baseline belongs to no declared dataset",
        fails_by_default=True,
        of_the_run=True,
    ),
)


def named(flag: str) -> Flag:
    """The flag of this name, `suspect:R@100` being one of `suspect`.

    Raises:
        KeyError: There is none.

    """
    return {each.name: each for each in FLAGS}[flag.split(":", maxsplit=1)[0]]


MAY_FAIL: Final = tuple(flag.name for flag in FLAGS if flag.may_fail)
STRICT_BY_DEFAULT: Final = tuple(flag.name for flag in FLAGS if flag.fails_by_default)
