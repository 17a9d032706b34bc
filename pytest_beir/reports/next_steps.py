"""The commands that a run leaves to the user: what to store, renew or accept, and for which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.reports.wording import UPDATE, accept

if TYPE_CHECKING:
    from pytest_beir.suite_run import SuiteRun

_STEPS = (
    ("no baseline", "store", "no baseline yet", UPDATE),
    ("improved", "update", "better than the stale baseline", UPDATE),
    ("regressed", "accept", "if the drop is wanted", accept("dropped")),
    ("not comparable", "renew", "measured on something else", accept("incomparable")),
    ("within tolerance", "rebase", "to compare with this version next", accept("neutral")),
)


@dataclass(frozen=True)
class Step:
    """One command, what it does in a word, and the datasets that it concerns."""

    label: str
    datasets: tuple[str, ...]
    why: str
    command: str


def next_steps(run: SuiteRun) -> list[Step]:
    """Get the commands that apply; a dataset whose baseline is written now needs none."""
    pending = [each for each in run.evaluations if each.update is None]
    steps = []
    for verdict, label, why, command in _STEPS:
        names = tuple(dict.fromkeys(e.dataset for e in pending if e.verdict == verdict))
        if names:
            steps.append(Step(label, names, why, command))
    return steps
