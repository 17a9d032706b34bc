"""The page on the house describes the house: its rooms in order, and files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_imports import FLOOR

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BESIDE_THE_PACKAGE = ("tests/", "docs/")


def rooms_of_the_table() -> list[str]:
    table = PAGE.split("## The rooms, from the ground up")[1].split("\n\n")[1]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    return [room.rstrip("/") for cell in cells for room in re.findall(r"`([a-z_]+/?)`", cell)]


def test_the_table_names_every_room_from_the_ground_up() -> None:
    rooms = rooms_of_the_table()
    assert sorted(rooms) == sorted(FLOOR)
    floors = [FLOOR[room] for room in rooms]
    assert floors == sorted(floors)


def paths_named() -> list[str]:
    """Whatever looks like a file or folder of the package, the tests or the docs."""
    named = set(re.findall(r"`([a-z_]+/[a-z_/]*(?:\.[a-z]+)*)`", PAGE))
    return sorted(path for path in named if "NAME" not in path)


@pytest.mark.parametrize("path", paths_named())
def test_files_that_the_page_names_exist(path: str) -> None:
    inside = "" if path.startswith(BESIDE_THE_PACKAGE) else "pytest_beir"
    homes = [ROOT / inside / path, ROOT / "pytest_beir" / "retrieval" / path]
    assert any(home.exists() for home in homes), path
