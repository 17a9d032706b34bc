"""The guard on our own cost: it holds now, counts the same each time, and can fail."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_beir.retrieval import run_files

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return import_module("benchmarks.guard")


@pytest.fixture
def reference(guard: Any) -> dict[str, float]:
    stored: dict[str, float] = yaml.safe_load(guard.REFERENCE.read_text(encoding="utf-8"))
    return stored


def test_our_steps_are_at_most_half_as_many_again_as_stored(
    guard: Any, reference: dict[str, float]
) -> None:
    counted = guard.measured()
    assert set(counted) == set(reference)
    assert guard.exceeded(counted, reference) == []


def test_the_same_work_takes_the_same_steps(guard: Any, tmp_path: Path) -> None:
    work = guard.run_file(500, tmp_path / "run")
    work()
    assert guard.steps(work) == guard.steps(work) > 0


def test_a_line_of_ours_and_a_call_into_c_are_a_step_each(
    guard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "def work(values):\n    values.sort()\n    return len(values)\n"
    scope: dict[str, Any] = {}
    exec(compile(text, "ours.py", "exec"), scope)  # noqa: S102 (a file of two lines)
    assert guard.steps(lambda: scope["work"]([2, 1])) == 0  # not ours
    monkeypatch.setattr(guard, "PACKAGE", "ours")
    assert guard.steps(lambda: scope["work"]([2, 1])) == 4  # two lines, sort and len


def test_whoever_traces_goes_on_tracing(guard: Any) -> None:
    before = sys.gettrace(), sys.getprofile()
    with pytest.raises(ZeroDivisionError):
        guard.steps(lambda: 1 / 0)
    assert (sys.gettrace(), sys.getprofile()) == before


def test_a_reader_that_goes_line_by_line_in_python_fails_it(
    guard: Any, reference: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The quick reader of blocks gives up on every file: the careful one is the slower version.
    monkeypatch.setattr(run_files, "plain_run", lambda *_: None)
    (complaint,) = guard.exceeded(guard.measured(), reference)
    assert complaint.startswith("ranked line of a run file: ")
    assert "times the stored" in complaint


def test_cost_that_grows_faster_than_the_work_fails_it(guard: Any) -> None:
    reference = {"document of a corpus": 100.0}
    assert guard.exceeded({"document of a corpus": (70.0, 100.0)}, reference) == []
    (complaint,) = guard.exceeded({"document of a corpus": (50.0, 100.0)}, reference)
    assert complaint.endswith("its cost does not grow in proportion")


def test_a_workload_without_a_stored_value_fails_it(guard: Any) -> None:
    assert guard.exceeded({"new": (1.0, 1.0)}, {}) == ["new: not in guard.yaml; run with --renew"]
