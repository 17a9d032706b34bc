"""Fixtures that every test may ask for."""

from __future__ import annotations

import gc
import os
import pathlib
import signal
import sys
import warnings
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.rules import Rules
    from tests.warm_python import WarmPython

with suppress(ImportError):  # `pytest --beir` loads this file too, and needs no extra
    from hypothesis import settings

    # A busy machine is no failure; where a failure blocks a merge, equal code has equal examples.
    settings.register_profile("steady", deadline=None, derandomize=bool(os.environ.get("CI")))
    settings.load_profile("steady")

# Threads for large products cost each process that a test starts a tenth of its time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tests import from each other. Last in the path, so that an installed wheel stays the one tested.
sys.path.append(str(Path(__file__).resolve().parents[1]))


@pytest.fixture
def _loaded_once() -> None:
    """What a run in this process must not be the first to import."""
    import_module("tests.kept_modules")


@pytest.fixture
def pytester(_loaded_once: None, pytester: pytest.Pytester) -> pytest.Pytester:
    """The usual one, which remembers what is loaded when it is made.

    It would also record each call of each hook, which takes a seventh of a run.
    """
    pytester.make_hook_recorder = Interrupts  # type: ignore[assignment, method-assign]
    return pytester


class Interrupts:
    """What a nested run tells the tests around it: that somebody pressed Ctrl-C."""

    def __init__(self, manager: pytest.PytestPluginManager) -> None:
        self._calls: list[SimpleNamespace] = []
        manager.register(self)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._calls.append(SimpleNamespace(excinfo=excinfo))

    def getcalls(self, _: str) -> list[SimpleNamespace]:
        return self._calls


def pytest_collection_finish() -> None:
    """Keep the collector from walking through all modules and tests again and again."""
    gc.collect()
    gc.freeze()


SHARED = Path(__file__).resolve().parents[1].parent / "shared"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real collections, runs and published scores."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("needs ../shared/data beside the project folder")
    return folder


@pytest.fixture(scope="session")
def warm_python() -> Iterator[WarmPython | None]:
    """Processes that need not load anything, where there can be any."""
    from tests.warm_python import IS_POSSIBLE, WarmPython

    with closing(WarmPython()) as python:
        yield python if IS_POSSIBLE else None


@pytest.fixture
def killed_at_every_step() -> Callable[[Callable[[], object]], Iterator[int]]:
    """Runs an action in a process that is killed before each step in which it changes files."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    return _killed_at_every_step


_STEPS = ("replace", "rename", "unlink", "mkdir", "rmdir", "link", "fsync")


def _killed_at_every_step(action: Callable[[], object], most: int = 200) -> Iterator[int]:
    """The numbers of the steps before each of which a process that ran `action` was killed.

    A step is a call that changes what lies in a folder. Whoever asks for the next number has put
    everything back as it was before.
    """
    for step in range(1, most):
        if not _is_killed(action, step):
            return
        yield step
    raise AssertionError("more steps than expected")


def _is_killed(action: Callable[[], object], step: int) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads of libraries, which the child does not need
        child = os.fork()
    if child == 0:
        try:
            _kill_before(step)
            action()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _kill_before(step: int) -> None:
    steps = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **options: object) -> object:
            nonlocal steps
            steps += 1
            if steps == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **options)

        return call

    from pytest_beir.files import atomic_folder

    kept = getattr(pathlib, "_NormalAccessor", None)  # Python 3.10 keeps functions of its own
    for name in _STEPS:
        step_of_os = counted(getattr(os, name))
        setattr(os, name, step_of_os)
        if hasattr(kept, name):
            setattr(kept, name, staticmethod(step_of_os))
    atomic_folder._swapped = counted(atomic_folder._swapped)  # type: ignore[assignment]


@dataclass(frozen=True)
class Lab:
    """Measurements, baselines and rules as values, without any data or retriever.

    Of the queries q00, q01, … each has the relevant document d00, d01, …, found at the rank that
    is given, else first; at rank 0 it is not found.
    """

    queries: int = 40

    def measurement(
        self, ranks: Mapping[str, int] | None = None, name: str = "docs", **given: Any
    ) -> Measurement:
        from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
        from pytest_beir.evaluation.measurement import Measurement
        from pytest_beir.scoring.scorer import score

        places = ranks or {}
        run = {}
        qrels = {f"q{number:02d}": {f"d{number:02d}": 1} for number in range(self.queries)}
        for query in qrels:
            documents = [f"x{number:02d}" for number in range(12)]
            rank = places.get(query, 1)
            if rank:
                documents.insert(rank - 1, f"d{query[1:]}")
            run[query] = {document: -float(place) for place, document in enumerate(documents)}
        prints = Fingerprints(f"q-{name}", f"r-{name}", f"c-{name}")
        fields: dict[str, Any] = {
            "retriever": "bm25",
            "version": "1",
            "scores": score(qrels, run),
            "identity": DatasetIdentity(name, "test", 60, self.queries, self.queries, prints),
            "definitions": {"nDCG@10": "gain", "R@100": "found", "Judged@10": "seen"},
        }
        return Measurement(**fields | given)

    def baseline(self, measurement: Measurement, anchor: Measurement | None = None) -> Baseline:
        """Its scores as a baseline; those of another measurement may be the anchor."""
        from dataclasses import replace

        from pytest_beir.baselines.baseline import Acceptance
        from pytest_beir.baselines.next_baseline import first_baseline

        first = first_baseline(
            measurement.retriever,
            measurement.scores,
            measurement.identity,
            measurement.definitions,
            accepted=Acceptance("2026-01-05"),
            versions={},
        )
        if anchor is None:
            return first
        vectors = {metric: anchor.scores.values[metric] for metric in first.anchor}
        return replace(first, anchor=vectors)

    def rules(
        self,
        *names: str,
        permitted: tuple[str, ...] = (),
        strict: tuple[str, ...] = (),
        **settings: Any,
    ) -> Rules:
        """The rules of a suite, `docs` alone by default; `settings` are those of `beir.yaml`."""
        from pytest_beir.configuration.config import Config
        from pytest_beir.configuration.declared_dataset import DeclaredDataset
        from pytest_beir.evaluation.rules import rules_for

        declared = [DeclaredDataset(name) for name in names or ("docs",)]
        config = Config.model_validate(settings)
        return rules_for(config, "bm25", declared, frozenset(permitted), frozenset(strict))

    def late(self, queries: int, rank: int = 5, first: int = 0) -> dict[str, int]:
        """Ranks under which so many queries find their document late."""
        return {f"q{number:02d}": rank for number in range(first, first + queries)}


@pytest.fixture(scope="session")
def lab() -> Lab:
    """Measurements as values."""
    return Lab()
