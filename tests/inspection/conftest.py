"""What tests of the inspection share."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def match_benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that measures what the page says of the match."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    return import_module("benchmarks.match")


@pytest.fixture
def as_profile(match_benchmark: Any) -> Any:
    """The profile that a folder of just that shape would have."""
    return match_benchmark.as_profile
