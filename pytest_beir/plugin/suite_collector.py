"""How a conftest becomes the suite: a module collector at its place, whose object is shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin import fixture_lookup, suite

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class SuiteModule(pytest.Module):
    """The tests of `plugin/suite.py`, collected as if they stood in the user's conftest.

    Whether that conftest defines a retriever is asked in `collect`, since pytest registers a
    directory's fixtures only after the directory itself has been collected.
    """

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """The suite's tests, or none where the conftest defines no retriever."""
        if not fixture_lookup.makes_suite(self):
            return
        for node in super().collect():
            if is_conformance(node) and not self.config.option.beir_conformance:
                continue
            if is_latency(node) and not self.config.option.beir_latency:
                continue
            _locate_at_fixture(node)
            yield node


def with_suite(
    file_path: Path, parent: pytest.Collector, collectors: list[pytest.Collector]
) -> list[pytest.Collector]:
    """The collectors for a conftest: without the plain module pytest makes, with the suite."""
    kept = [node for node in collectors if not _is_plain_module(node, file_path)]
    module = SuiteModule.from_parent(parent, path=file_path)
    module.obj = suite
    return [*kept, module]


def _is_plain_module(node: pytest.Collector, file_path: Path) -> bool:
    """Whether a node collects tests of the file as a module's; one of doctests does not."""
    return (
        isinstance(node, pytest.Module)
        and node.path == file_path
        and type(node).collect is pytest.Module.collect
    )


def is_conformance(node: Any) -> bool:
    """Whether the node is a shipped test of behaviour."""
    return bool(getattr(node, "originalname", None) == suite.beir_conformance.__name__)


def is_latency(node: Any) -> bool:
    """Whether the node is a shipped test of how long searches take."""
    return bool(getattr(node, "originalname", None) == suite.latency.__name__)


def is_suite_item(item: pytest.Item) -> bool:
    """Whether the item retrieves: the shipped test, or a user's own with our fixtures."""
    return "beir_dataset" in getattr(item, "fixturenames", ())


def dataset_of(item: pytest.Item) -> str | None:
    """The name of the dataset that an item was parametrised with."""
    callspec = getattr(item, "callspec", None)
    value = callspec.params.get("beir_dataset") if callspec is not None else None
    return value if isinstance(value, str) else None


def _locate_at_fixture(node: Any) -> None:
    """Let a report and an IDE point to the user's fixture, not into the installed package."""
    found = [
        definition
        for name in ("retriever", "beir_retriever")
        for definition in fixture_lookup.definitions(name, node)
        if fixture_lookup.is_defined_by_user(definition)
    ]
    if found:
        file = fixture_lookup.source_file(found[-1])
        line = fixture_lookup.source_line(found[-1]) - 1
        node.reportinfo = lambda: (file, line, node.name)
