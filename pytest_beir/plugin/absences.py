"""Which declared datasets have no result, and why, as far as this process knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.suite.run import DidNotRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.plugin.collected_items import Collected
    from pytest_beir.plugin.options import Options
    from pytest_beir.plugin.results import Gathering


class Absences:
    """What was collected against what has been reported."""

    def __init__(self, options: Options, collected: Collected, gathering: Gathering) -> None:
        self._options = options
        self._collected = collected
        self._gathering = gathering

    def did_not_run(self) -> Iterator[DidNotRun]:
        """Every declared dataset without a result, for each retriever that is known."""
        gathering = self._gathering
        absences = {(a.retriever, a.dataset): a.reason for a in gathering.absences.values()}
        retrievers = dict.fromkeys(
            [
                *(retriever for retriever, _ in gathering.evaluations),
                *(retriever for retriever, _ in absences),
                *(retriever for retriever, _ in sorted(self._unfinished())),
            ]
        )
        for retriever in retrievers:
            for dataset in self._options.names:
                if (retriever, dataset) in gathering.evaluations:
                    continue
                reason = absences.get((retriever, dataset))
                if reason is not None:
                    yield DidNotRun(retriever, dataset, reason, on_purpose=False)
                else:
                    yield self._unreached(retriever, dataset)

    def _unfinished(self) -> set[tuple[str, str]]:
        """Retriever and dataset of the tests that were to run, and have not reported."""
        to_run = self._collected.to_run.items()
        return self._keys({n: d for n, d in to_run if n not in self._gathering.finished})

    def _keys(self, tests: Mapping[str, str]) -> set[tuple[str, str]]:
        known = self._collected.retrievers
        return {
            (self._gathering.names.of(known[node]), dataset)
            for node, dataset in tests.items()
            if node in known
        }

    def _unreached(self, retriever: str, dataset: str) -> DidNotRun:
        if dataset not in self._options.selected:
            return DidNotRun(retriever, dataset, "deselected by --beir-only", on_purpose=True)
        # While xdist's workers run, nobody knows here what they collected.
        if (retriever, dataset) in self._unfinished() or not self._collected.found:
            return DidNotRun(
                retriever,
                dataset,
                "its test was not finished (stopped or crashed)",
                on_purpose=False,
            )
        if (retriever, dataset) in self._keys(self._collected.deselected):
            return DidNotRun(retriever, dataset, "deselected", on_purpose=True)
        if (retriever, dataset) in self._keys(self._collected.removed):
            reason = "a hook or another plugin took its test out"
            return DidNotRun(retriever, dataset, reason, on_purpose=False)
        return DidNotRun(retriever, dataset, "not among what was named", on_purpose=True)

    def has_ended(self, key: tuple[str, str]) -> bool:
        """Whether every test of the dataset that began was torn down as well."""
        gathering = self._gathering
        reported = gathering.tests_of(key)
        failed = gathering.failed_tests - reported
        crashed = {n: d for n, d in self._collected.to_run.items() if n in failed and d == key[1]}
        return reported <= gathering.torn_down and key not in self._keys(crashed)
