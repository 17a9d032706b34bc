"""Why a declared dataset has no result, and whether somebody left it out on purpose."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_beir.plugin.absences import Absences

NODES = {"t1": "alpha", "t2": "beta", "t3": "gamma", "t4": "delta", "t5": "omega"}


def absences(**given: Any) -> Absences:
    """One retriever on five datasets, of which `alpha` has a result."""
    names = (*NODES.values(),)
    options: Any = SimpleNamespace(names=names, selected=given.pop("selected", names))
    fields: dict[str, Any] = {"to_run": {}, "deselected": {}, "removed": {}, "found": True} | given
    collected: Any = SimpleNamespace(retrievers=dict.fromkeys(NODES, "bm25"), **fields)
    gathering: Any = SimpleNamespace(
        evaluations={("bm25", "alpha"): object()},
        absences={},
        finished={"t1"},
        failed_tests={"t2"},
        torn_down={"t1"},
        names=SimpleNamespace(of=lambda retriever: retriever),
        tests_of=lambda key: {node for node, name in NODES.items() if name == key[1]} & {"t1"},
    )
    return Absences(options, collected, gathering)


@pytest.mark.parametrize(
    ("given", "reason", "on_purpose"),
    [
        ({"selected": ("alpha",)}, "deselected by --beir-only", True),
        ({"to_run": {"t2": "beta"}}, "its test was not finished (stopped or crashed)", False),
        ({"found": False}, "its test was not finished (stopped or crashed)", False),
        ({"deselected": {"t2": "beta"}}, "deselected", True),
        ({"removed": {"t2": "beta"}}, "a hook or another plugin took its test out", False),
        ({}, "not among what was named", True),
        # A test that was to run and did not is never one that was left out.
        (
            {"to_run": {"t2": "beta"}, "deselected": {"t2": "beta"}},
            "its test was not finished (stopped or crashed)",
            False,
        ),
    ],
)
def test_a_dataset_without_a_result_has_the_reason(
    given: dict[str, Any], reason: str, *, on_purpose: bool
) -> None:
    told = {each.dataset: each for each in absences(**given).did_not_run()}
    assert list(told) == ["beta", "gamma", "delta", "omega"]
    assert (told["beta"].retriever, told["beta"].reason) == ("bm25", reason)
    assert told["beta"].on_purpose is on_purpose


def test_a_dataset_has_ended_once_each_test_that_began_was_torn_down() -> None:
    known = absences(to_run={"t1": "alpha", "t2": "beta"})
    assert known.has_ended(("bm25", "alpha"))
    assert known.has_ended(("bm25", "gamma"))  # no test of it began
    assert not known.has_ended(("bm25", "beta"))  # it failed before anything was reported
