"""Strict flags: which of a run's flags were declared to fail it, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.evaluation.strictness import failing_flags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.suite.run import SuiteRun


@dataclass(frozen=True)
class Complaint:
    """A flag that fails the run: `subject` names retriever, dataset and flag."""

    subject: str
    flag: str
    text: str


def complaints(run: SuiteRun, strict: frozenset[str]) -> tuple[Complaint, ...]:
    """The complaints of a run in its own order; none for what was deselected on purpose."""
    found = [*_of_datasets(run), *_of_the_run(run)]
    return tuple(complaint for complaint in found if complaint.flag in strict)


def _of_datasets(run: SuiteRun) -> Iterator[Complaint]:
    for each in run.evaluations:
        for flag, text in failing_flags(each):
            yield Complaint(
                f"{each.retriever}-{each.dataset}-{flag}",
                flag.split(":")[0],
                f"{flag}: {each.dataset}: {text}",
            )


def _of_the_run(run: SuiteRun) -> Iterator[Complaint]:
    for missing in run.did_not_run:
        if not missing.on_purpose:
            yield Complaint(
                f"{missing.retriever}-{missing.dataset}-did-not-run",
                "did-not-run",
                f"did-not-run: {missing.dataset}: {missing.reason}",
            )
    for average in run.averages:
        if average.withheld and not average.on_purpose:
            yield Complaint(
                f"{average.retriever}-{average.metric}-average-withheld",
                "average-withheld",
                f"average-withheld: {average.metric} over {average.set.name or 'the suite'}: "
                f"{average.withheld}",
            )
    for retriever, dataset in run.unused_baselines:
        yield Complaint(
            f"{retriever}-{dataset}-unused-baseline",
            "unused-baseline",
            f"unused-baseline: {retriever}/{dataset} is stored, but the suite does not name it: "
            f"declare it, or delete it with --beir-prune",
        )
