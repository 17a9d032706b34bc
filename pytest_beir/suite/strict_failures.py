"""What fails a run beside its verdicts: strict flags, and settings that apply to nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.evaluation.gated_groups import never_met
from pytest_beir.phrasing import joined
from pytest_beir.suggestions import nearest
from pytest_beir.suite.run import Complaint, RunFailure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pytest_beir.configuration.config import Config
    from pytest_beir.suite.averages import Average
    from pytest_beir.suite.run import SuiteRun


def complaints(run: SuiteRun, strict: frozenset[str]) -> tuple[Complaint, ...]:
    """The complaints of a run in its own order; none for what was deselected on purpose."""
    found = [*_of_datasets(run), *_of_the_run(run)]
    return tuple(complaint for complaint in found if complaint.flag in strict)


def _of_datasets(run: SuiteRun) -> Iterator[Complaint]:
    for each in run.evaluations:
        for name in each.failing_flags:
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


def unmatched_settings(
    run: SuiteRun, config: Config, stored: Collection[str]
) -> tuple[RunFailure, ...]:
    """What fails a complete run because its configuration gates what is not there.

    `stored` are the retrievers that have baselines: one of these may be tested elsewhere.
    """
    if run.did_not_run or not run.evaluations:
        return ()
    return (*_unmet_groups(run, config), *_absent_retrievers(run, config, stored))


def _unmet_groups(run: SuiteRun, config: Config) -> Iterator[RunFailure]:
    if config.groups is None or any(each.verdict == "error" for each in run.evaluations):
        return
    met = {group.name for each in run.evaluations for group in each.explanation.groups}
    complaint = never_met(config.groups.gate, met)
    if complaint:
        yield RunFailure("groups", complaint, "groups in beir.yaml name what is not there")


def _absent_retrievers(
    run: SuiteRun, config: Config, stored: Collection[str]
) -> Iterator[RunFailure]:
    """Settings of a retriever that is not there, where another one was probably meant."""
    ran = [family.name for family in run.retrievers]
    unclaimed = [name for name in ran if name not in config.retrievers]
    for name in config.retrievers:
        meant = nearest(name, unclaimed)
        if name not in ran and name not in stored and meant is not None:
            yield RunFailure(
                "retrievers",
                f"retrievers: {name}: no retriever of this run is called that, so its settings "
                f"apply to none; did you mean {meant!r}?",
                "retrievers in beir.yaml name what is not there",
            )
