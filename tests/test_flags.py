"""The registry of flags is the one list of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pytest_beir.configuration.config import expand_strict
from pytest_beir.configuration.settings import Settings
from pytest_beir.flags import FLAGS, MAY_FAIL, STRICT_BY_DEFAULT, named

ROOT = Path(__file__).parents[1]
NAMES = {flag.name for flag in FLAGS}


def emitted() -> set[str]:
    """What the package appends, yields or concatenates as a flag, by its literals."""
    found = set()
    for file in (ROOT / "pytest_beir").rglob("*.py"):
        if file.name == "flags.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value.partition(":")[0])
    return found & NAMES


def test_no_name_is_twice_in_the_list() -> None:
    assert len(NAMES) == len(FLAGS)


def test_every_flag_is_emitted_somewhere() -> None:
    assert emitted() == NAMES


def test_a_flag_of_a_metric_is_found_by_its_full_name() -> None:
    assert named("suspect:R@100").per_metric
    with pytest.raises(KeyError):
        named("nonsense")


def test_what_fails_by_default_may_fail() -> None:
    assert set(STRICT_BY_DEFAULT) <= set(MAY_FAIL)
    assert expand_strict(["default"]) == set(STRICT_BY_DEFAULT)


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag.name)
def test_the_configuration_takes_exactly_what_may_fail(flag: object) -> None:
    name = flag.name  # type: ignore[attr-defined]
    is_taken = True
    try:
        Settings.model_validate({"strict": (name,)})
    except ValueError:
        is_taken = False
    assert is_taken is (name in MAY_FAIL)


def test_the_reading_guide_shows_every_flag_as_it_is_here() -> None:
    guide = (ROOT / "docs" / "reading-the-summary.md").read_text(encoding="utf-8")
    for flag in FLAGS:
        name = f"{flag.name}:METRIC" if flag.per_metric else flag.name
        fails = "by default" if flag.fails_by_default else "if named" if flag.may_fail else "never"
        assert f"| `{name}` | {flag.meaning} | {fails} |" in guide
