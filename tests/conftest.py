"""Fixtures that every test may ask for."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

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
