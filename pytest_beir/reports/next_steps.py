"""The commands that a run leaves to the user: what to store, renew or accept, and for which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.reports.wording import accept, side, update

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.suite.run import SuiteRun

_STEPS = (
    ("no baseline", "store", "no baseline yet", "new"),
    ("improved", "update", "better than the stale baseline", "new"),
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


def next_steps(run: SuiteRun) -> list[Step]:
    """The commands that apply; a dataset that an update wrote, or was refused, needs none.

    There are none either where the run has no command that could be repeated.
    """
    if not run.command:
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
            command = run.command
            command = update(command) if category == "new" else accept(category, command)
            steps.append(Step(label, names, why, command))
    changed = named(e for e in pending if e.verdict == "unchanged" and "corpus-changed" in e.flags)
    if changed:
        command = accept("incomparable", run.command)
        steps.append(Step("take over", changed, "whose corpus has changed", command))
    if run.fails_as_a_whole and "accept" not in [s.label for s in steps]:
        command = accept("dropped", run.command)
        steps.append(Step("accept", ("the average",), "if the spread loss is wanted", command))
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
