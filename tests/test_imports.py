"""Imports point one way: a room imports only from those before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "pytest_beir"

# From the ground up; what stands in one line stands on one floor, and does not import each other.
FLOORS = (
    ("errors", "flags", "garbage", "suggestions", "phrasing", "text_layout", "verdicts"),
    ("files",),
    ("datasets", "scoring"),
    ("retrieval",),
    ("conformance", "distributed"),
    ("configuration",),
    ("gate",),
    ("baselines",),
    ("inspection",),
    ("provenance", "explanation"),
    ("latency",),
    ("evaluation",),
    ("published",),
    ("suite",),
    ("reports",),
    ("stored_results",),
    ("commands", "plugin"),
    ("cli",),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
FACES = ("__init__", "__main__")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports_of(path: Path) -> set[str]:
    """Dotted names that a file imports, in functions and under TYPE_CHECKING too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


FILES = sorted(path for path in PACKAGE.rglob("*.py") if room_of(path) not in FACES)


def test_every_room_has_a_floor() -> None:
    assert {room_of(path) for path in FILES} == set(FLOOR)


def rooms_imported_by(path: Path) -> set[str]:
    names = {name for name in imports_of(path) if name.startswith("pytest_beir.")}
    return {name.split(".")[1] for name in names} & set(FLOOR) - {room_of(path)}


def test_imports_point_to_earlier_rooms() -> None:
    upward = {
        f"{path.relative_to(PACKAGE)} imports {room}"
        for path in FILES
        for room in rooms_imported_by(path)
        if FLOOR[room] >= FLOOR[room_of(path)]
    }
    assert upward == set()


def test_only_the_plugin_imports_pytest() -> None:
    importers = {
        (room_of(path), name.split(".")[0])
        for path in FILES
        for name in imports_of(path)
        if name.split(".")[0] in ("pytest", "_pytest")
    }
    assert importers == {("plugin", "pytest")}


@pytest.mark.parametrize("room", ["gate", "scoring"])
def test_the_core_is_pure(room: str) -> None:
    impure = {"os", "sys", "time", "datetime", "random", "subprocess", "logging", "pathlib"}
    for path in (PACKAGE / room).rglob("*.py"):
        assert {name.split(".")[0] for name in imports_of(path)}.isdisjoint(impure), path


def test_scipy_stats_is_for_tests_only() -> None:
    for path in FILES:
        assert not any(name.startswith("scipy.stats") for name in imports_of(path)), path
