"""That pytest, started as the README says, looks into every folder of tests."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).resolve().parent


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getini("norecursedirs")
    folders = {path.parent.relative_to(TESTS).parts for path in TESTS.rglob("test_*.py")}
    assert {"baselines", "benchmarks", "plugin"} <= {name for parts in folders for name in parts}
    passed_over = {
        (name, pattern)
        for parts in folders
        for name in parts
        for pattern in patterns
        if fnmatch(name, pattern)
    }
    assert passed_over == set()
