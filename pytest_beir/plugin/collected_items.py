"""What was collected of the suite, in whichever process collected it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import BeirError
from pytest_beir.plugin import lost_suites, retriever_identity, suite_collector
from pytest_beir.plugin.payload import plain
from pytest_beir.plugin.results import Source
from pytest_beir.plugin.run_status import stop_reason
from pytest_beir.plugin.state import TestVerdict

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

WORKER_KEY = "beir_collected"


@dataclass
class Collected:
    """Node ids with their datasets: what is to run, and what was deselected.

    `removed` are tests that a hook took out without a word to pytest. `retrievers` says whose
    each test is, as far as that is known before its setup, `verdicts` what was found where a test
    ran. `lost_suites` are conftests whose import did not finish, `cut_off` the reasons why a
    process stopped before its last test; `is_complete` says whether collection came to its end.
    """

    to_run: dict[str, str] = field(default_factory=dict)
    deselected: dict[str, str] = field(default_factory=dict)
    removed: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, TestVerdict] = field(default_factory=dict)
    lost_suites: dict[str, str] = field(default_factory=dict)
    cut_off: list[str] = field(default_factory=list)
    is_complete: bool = False
    retrievers: dict[str, Source] = field(default_factory=dict)

    @property
    def found(self) -> bool:
        """Whether collection met any test of the suite, deselected ones included."""
        return bool(self.to_run or self.deselected)

    def absorb(self, plain: dict[str, Any]) -> None:
        """Add what a worker collected."""
        self.to_run.update(plain["to_run"])
        self.deselected.update(plain["deselected"])
        self.removed.update(plain["removed"])
        self.verdicts.update({node: TestVerdict(*each) for node, each in plain["verdicts"].items()})
        self.lost_suites.update(plain["lost_suites"])
        self.cut_off += [reason for reason in plain["cut_off"] if reason not in self.cut_off]
        self.is_complete = self.is_complete or plain["is_complete"]
        sources = plain["retrievers"].items()
        self.retrievers.update({node: Source.from_plain(source) for node, source in sources})

    def plain(self) -> dict[str, Any]:
        """Plain values, as a worker sends them."""
        return {
            "to_run": self.to_run,
            "deselected": self.deselected,
            "removed": self.removed,
            "verdicts": {node: list(astuple(each)) for node, each in self.verdicts.items()},
            "lost_suites": self.lost_suites,
            "cut_off": self.cut_off,
            "is_complete": self.is_complete,
            "retrievers": {node: source.plain() for node, source in self.retrievers.items()},
        }


class CollectionWatch:
    """Records collection where it happens, and lets a worker send the record home."""

    def __init__(self, collected: Collected, project: Path) -> None:
        self.collected = collected
        self._project = project
        self._met: list[pytest.Item] = []

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Hook: remember every test of the suite, whatever becomes of it."""
        if suite_collector.is_suite_item(item):
            self._met.append(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Hook: notice a suite whose conftest was not imported to its end."""
        report = yield
        self.collected.lost_suites.update(lost_suites.lost_suites(report, collector))
        return report

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Hook: remember deselected tests of the suite."""
        self.collected.deselected.update(_datasets(items))
        self.collected.retrievers.update(_retrievers(items, self._project))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Hook: remember what is left to run."""
        collected = self.collected
        collected.to_run.update(_datasets(session.items))
        collected.retrievers.update(_retrievers(session.items, self._project))
        gone = {
            node: dataset
            for node, dataset in _datasets(self._met).items()
            if node not in collected.to_run and node not in collected.deselected
        }
        removed = [item for item in self._met if item.nodeid in gone]
        collected.removed.update(gone)
        collected.retrievers.update(_retrievers(removed, self._project))
        collected.lost_suites.update(lost_suites.skipped_plugins(session.config))
        collected.is_complete = True
        self._met.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Hook: remember what stopped this process before its last test."""
        try:
            return (yield)
        except (pytest.exit.Exception, SystemExit) as error:
            if hasattr(session.config, "workerinput"):
                self.collected.cut_off.append(stop_reason(error))
            raise

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hook: a worker sends its record."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output[WORKER_KEY] = plain(self.collected.plain(), "the collected tests")


def _datasets(items: list[pytest.Item]) -> dict[str, str]:
    return {
        item.nodeid: suite_collector.dataset_of(item) or ""
        for item in items
        if suite_collector.is_suite_item(item)
    }


def _retrievers(items: list[pytest.Item], project: Path) -> Iterator[tuple[str, Source]]:
    for item in items:
        if suite_collector.is_suite_item(item) and "beir_retriever" in item.fixturenames:  # type: ignore[attr-defined]
            with suppress(BeirError):
                yield item.nodeid, Source.of(retriever_identity.identify(item, project))
