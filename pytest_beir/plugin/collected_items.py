"""What was collected of the suite, in whichever process collected it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import BeirError
from pytest_beir.plugin import retriever_identity, suite_collector
from pytest_beir.plugin.payload import plain
from pytest_beir.plugin.results import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORKER_KEY = "beir_collected"


@dataclass
class Collected:
    """Node ids with their datasets: what is to run, and what was deselected.

    `retrievers` says whose each test is, as far as that is known before its setup.
    """

    to_run: dict[str, str] = field(default_factory=dict)
    deselected: dict[str, str] = field(default_factory=dict)
    retrievers: dict[str, Source] = field(default_factory=dict)

    @property
    def found(self) -> bool:
        """Whether collection met any test of the suite, deselected ones included."""
        return bool(self.to_run or self.deselected)

    def absorb(self, plain: dict[str, Any]) -> None:
        """Add what a worker collected."""
        self.to_run.update(plain["to_run"])
        self.deselected.update(plain["deselected"])
        sources = plain["retrievers"].items()
        self.retrievers.update({node: Source.from_plain(source) for node, source in sources})

    def plain(self) -> dict[str, Any]:
        """Plain values, as a worker sends them."""
        return {
            "to_run": self.to_run,
            "deselected": self.deselected,
            "retrievers": {node: source.plain() for node, source in self.retrievers.items()},
        }


class CollectionWatch:
    """Records collection where it happens, and lets a worker send the record home."""

    def __init__(self, collected: Collected, project: Path) -> None:
        self.collected = collected
        self._project = project

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Hook: remember deselected tests of the suite."""
        self.collected.deselected.update(_datasets(items))
        self.collected.retrievers.update(_retrievers(items, self._project))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Hook: remember what is left to run."""
        self.collected.to_run.update(_datasets(session.items))
        self.collected.retrievers.update(_retrievers(session.items, self._project))

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
