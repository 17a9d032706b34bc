"""Strict flags: which of a run's flags were declared to fail it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.evaluation.strictness import failing_flags
from pytest_beir.phrasing import joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.evaluation.evaluation import Evaluation
    from pytest_beir.suite.averages import Average
    from pytest_beir.suite.run import SuiteRun


@dataclass(frozen=True)
class Complaint:
    """A flag that fails the run; no two of a run have the same `subject`.

    `evaluation` bears the flag; it is None for a flag of the run as a whole, which `reason`
    explains. `name` is the flag in full: `suspect:R@100` where `flag` is `suspect`.
    """

    subject: str
    flag: str
    name: str
    reason: str = ""
    evaluation: Evaluation | None = None


def complaints(run: SuiteRun, strict: frozenset[str]) -> tuple[Complaint, ...]:
    """The complaints of a run in its own order; none for what was deselected on purpose."""
    found = [*_of_datasets(run), *_of_the_run(run)]
    return tuple(complaint for complaint in found if complaint.flag in strict)


def _of_datasets(run: SuiteRun) -> Iterator[Complaint]:
    for each in run.evaluations:
        for name in failing_flags(each):
            yield Complaint(
                f"{each.retriever}-{each.dataset}-{name}",
                name.split(":")[0],
                name,
                evaluation=each,
            )


def _of_the_run(run: SuiteRun) -> Iterator[Complaint]:
    for each in run.did_not_run:
        if not each.on_purpose:
            subject = f"{each.retriever}-{each.dataset}"
            yield _whole("did-not-run", subject, f"{each.dataset}: {each.reason}")
    yield from _of_averages(run.averages)
    for retriever, dataset in run.unused_baselines:
        yield _whole(
            "unused-baseline",
            f"{retriever}-{dataset}",
            f"{retriever}/{dataset} is stored, but the suite does not name it: declare it, or "
            f"delete it with --beir-prune",
        )


def _of_averages(averages: tuple[Average, ...]) -> Iterator[Complaint]:
    """One for all metrics that one reason withholds; a zero-shot average is never owed."""
    withheld: dict[tuple[str, str], list[Average]] = {}
    for each in averages:
        if each.withheld and not each.on_purpose and each.label is None:
            withheld.setdefault((each.retriever, each.withheld), []).append(each)
    for (retriever, reason), alike in withheld.items():
        metrics = [each.metric for each in alike]
        yield _whole(
            "average-withheld",
            f"{retriever}-{metrics[0]}",
            f"{joined(metrics)} over {alike[0].set.name or 'the suite'}: {reason}",
        )


def _whole(flag: str, subject: str, reason: str) -> Complaint:
    return Complaint(f"{subject}-{flag}", flag, flag, reason)
