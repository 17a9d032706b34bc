"""Fixtures that every test may ask for."""

from __future__ import annotations

import os
import signal
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

with suppress(ImportError):  # `pytest --beir` loads this file too, and needs no extra
    from hypothesis import settings

    # A busy machine is no failure; where a failure blocks a merge, equal code has equal examples.
    settings.register_profile("steady", deadline=None, derandomize=bool(os.environ.get("CI")))
    settings.load_profile("steady")

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


def _shared(name: str) -> Path:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"needs ../shared/{name} beside the project folder")
    return folder


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real collections, runs and published scores."""
    return _shared("data")


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """The folder of small inputs with right answers."""
    return _shared("cases")


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

    for name in _STEPS:
        setattr(os, name, counted(getattr(os, name)))
    atomic_folder._swapped = counted(atomic_folder._swapped)  # type: ignore[assignment]
