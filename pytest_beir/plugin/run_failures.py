"""What fails a run as a whole: lost suites, lost results, lost workers, no verdict at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.phrasing import plural
from pytest_beir.plugin.retriever_key import clash
from pytest_beir.suite.run import RunFailure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.plugin.collected_items import Collected
    from pytest_beir.plugin.results import Gathering

_SHOWN = 5


def run_failures(collected: Collected, gathering: Gathering) -> tuple[RunFailure, ...]:
    """Everything of the kind, once all tests have reported or the run was stopped."""
    return (
        *_clashes(gathering),
        *_lost_suites(collected),
        *_cut_off(collected),
        *_without_verdict(collected, gathering),
        *_without_failed_report(collected, gathering),
    )


def _clashes(gathering: Gathering) -> Iterator[RunFailure]:
    for name, keys in sorted(gathering.clashes.items()):
        yield RunFailure(
            f"name[{name}]",
            clash(name, tuple(keys)),
            f"several retrievers are called {name!r}",
        )


def _lost_suites(collected: Collected) -> Iterator[RunFailure]:
    for place, reason in sorted(collected.lost_suites.items()):
        yield RunFailure(
            f"suite[{place}]",
            f"{place} names a retriever, but its import did not finish, so its suite did not run: "
            f"{reason}; skip inside the fixture instead, or leave the folder out with --ignore",
            f"the suite of {place} was lost",
        )


def _cut_off(collected: Collected) -> Iterator[RunFailure]:
    for number, reason in enumerate(collected.cut_off, start=1):
        yield RunFailure(
            f"cut-off[{number}]", f"the run was cut off: {reason}", "the run was cut off"
        )


def _without_verdict(collected: Collected, gathering: Gathering) -> Iterator[RunFailure]:
    """Tests of the suite that never reported; or all of them, if none reached a verdict."""
    if not collected.to_run:
        return
    if not gathering.evaluations:
        absences = sorted({absence.reason for absence in gathering.absences.values()})
        yield RunFailure(
            "verdict",
            f"none of {len(collected.to_run)} tests of the suite reached a verdict"
            + (f" ({'; '.join(absences)})" if absences else ""),
            "no test reached a verdict",
        )
        return
    silent = [
        node
        for node in collected.to_run
        if node not in gathering.finished
        and node not in gathering.failed_tests
        and node not in collected.verdicts
    ]
    if silent:
        more = f" and {len(silent) - _SHOWN} more" if len(silent) > _SHOWN else ""
        yield RunFailure(
            "unfinished",
            f"{plural(len(silent), 'test')} of the suite did not report a result: "
            f"{', '.join(silent[:_SHOWN])}{more}",
            f"{plural(len(silent), 'test')} did not finish",
        )


def _without_failed_report(collected: Collected, gathering: Gathering) -> Iterator[RunFailure]:
    """Evaluations that do not pass, and whose tests pytest did not count as failed."""
    unreported: dict[tuple[str, str], str] = {}
    for key, evaluation in gathering.evaluations.items():
        nodes = gathering.tests_of(key)
        if not evaluation.passed and nodes and not nodes & gathering.failed_tests:
            unreported[key] = evaluation.message
    for node, verdict in collected.verdicts.items():
        if not verdict.passed and node not in gathering.finished | gathering.failed_tests:
            unreported.setdefault((verdict.retriever, verdict.dataset), verdict.message)
    for (retriever, dataset), message in sorted(unreported.items()):
        yield RunFailure(
            f"verdict[{retriever}-{dataset}]",
            f"{dataset}: {message}; its test was not reported as failed "
            f"(a hook or another plugin changed the report)",
            f"{dataset} was not reported as failed",
        )
