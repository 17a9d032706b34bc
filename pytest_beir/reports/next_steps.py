"""The commands that a run leaves to the user: what to store, renew or accept, and for which."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pytest_beir.reports.wording import accept, side, update

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.suite.run import SuiteRun

_STEPS = (
    ("no baseline", "store", "no baseline yet; on your machine, then commit it", "new"),
    ("improved", "update", "better than the stale baseline", "improved"),
    ("regressed", "accept", "if the drop is wanted", "dropped"),
    ("not comparable", "renew", "measured on something else", "incomparable"),
    ("within tolerance", "keep", "to compare the next change with these scores", "neutral"),
)


@dataclass(frozen=True)
class Step:
    """One command, what it does in a word, and the datasets that it concerns."""

    label: str
    datasets: tuple[str, ...]
    why: str
    command: str


Remedy: TypeAlias = "Callable[[str], str]"
"""The command that stores the results of a category: new, improved, neutral, dropped, …"""


def repeating(command: str) -> Remedy | None:
    """The remedy of a run of tests: what was typed, with the option that stores."""
    if not command:
        return None
    return lambda category: (
        update(command) if category in {"new", "improved"} else accept(category, command)
    )


def accepting(report: Path) -> Remedy:
    """The remedy of a report that holds its scores: it need not be measured again."""
    folder = shlex.quote(str(report))
    return lambda category: f"pytest-beir accept {folder} --only={category} --reason=TEXT"


def next_steps(run: SuiteRun, remedy: Remedy | None) -> list[Step]:
    """The commands that apply; a dataset that an update wrote, or was refused, needs none.

    There are none either where nothing was measured that could be stored.
    """
    if remedy is None:
        return []
    pending = [
        each for each in run.evaluations if each.update is None and each.update_refused is None
    ]
    several = len({each.retriever for each in run.evaluations}) > 1

    def named(some: Iterable[Evaluation]) -> tuple[str, ...]:
        return tuple(f"{e.retriever} {e.dataset}" if several else e.dataset for e in some)

    steps = []
    for verdict, label, why, category in _STEPS:
        names = named(each for each in pending if each.verdict == verdict and _is_news(each))
        if names:
            steps.append(Step(label, names, why, remedy(category)))
    changed = named(e for e in pending if e.verdict == "unchanged" and "corpus-changed" in e.flags)
    if changed:
        steps.append(Step("take over", changed, "whose corpus has changed", remedy("incomparable")))
    if run.fails_as_a_whole and "accept" not in [s.label for s in steps]:
        wanted = "if the spread loss is wanted"
        steps.append(Step("accept", ("the average",), wanted, remedy("dropped")))
    return steps


def _is_news(evaluation: Evaluation) -> bool:
    """Whether a result is more than what every harmless change gives: nobody stores those."""
    if evaluation.verdict != "within tolerance":
        return True
    return any(
        metric.gated
        and metric.current is not None
        and metric.alpha is not None
        and side(metric.current) <= metric.alpha
        for metric in evaluation.metrics.values()
    )
