"""The reference pages name everything there is: what the code has and a page lacks fails here."""

from __future__ import annotations

import argparse
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

import pytest_beir
from pytest_beir import cli
from pytest_beir.configuration import settings
from pytest_beir.verdicts import VERDICTS, Reason

if TYPE_CHECKING:
    from types import ModuleType

    from pydantic import BaseModel

DOCS = Path(__file__).resolve().parents[1] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def first_cells(text: str) -> list[str]:
    """What stands in backquotes in the first cell of each row."""
    return re.findall(r"^\| \[?`([^`]+)`", text, re.MULTILINE)


@pytest.fixture(scope="module")
def references() -> ModuleType:
    spec = importlib.util.spec_from_file_location("references", DOCS / "references.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_made_from_the_code_are_up_to_date(references: ModuleType) -> None:
    for path in references.pages():
        written = path.read_text(encoding="utf-8")
        assert written == references.renewed(written), f"{path.name}: python docs/references.py"


def test_every_table_stands_on_a_page(references: ModuleType) -> None:
    shown = {
        name
        for path in references.pages()
        for name in re.findall(r"made from the code: ([a-z-]+)", path.read_text(encoding="utf-8"))
    }
    assert shown == set(references.TABLES)


def test_every_option_has_a_default_on_the_page(references: ModuleType) -> None:
    shown = dict(
        re.findall(r"^\| `(--beir[a-z-]*)[^`]*` \| ([^|]+) \|", page("options.md"), re.MULTILINE)
    )
    assert list(shown) == [name for name, _ in references.declared()]
    assert all(default.strip() for default in shown.values())


SECTIONS: list[tuple[str, type[BaseModel]]] = [
    ("## The file", settings.Settings),
    ("### `datasets`", settings.DatasetEntry),
    ("### `gate`", settings.Gate),
    ("### `retrievers`", settings.RetrieverSettings),
    ("### `average`", type(settings.Settings().average)),
    ("Each of them:", settings.PublishedAverage),
    ("### `report`", type(settings.Settings().report)),
    ("### `groups`", settings.Groups),
]


@pytest.mark.parametrize(("title", "model"), SECTIONS, ids=[title for title, _ in SECTIONS])
def test_every_key_of_the_configuration_is_explained(title: str, model: type[BaseModel]) -> None:
    section = page("configuration.md").split(f"{title}\n", 1)[1]
    table = section.split("| key |", 1)[1].split("\n\n", 1)[0]
    assert sorted(first_cells(table)) == sorted(model.model_fields)
    for key, field in model.model_fields.items():
        if isinstance(field.default, bool | int | float | str):
            (row,) = re.findall(rf"^\| `{key}` \| ([^|]+) \|", table, re.MULTILINE)
            assert row.strip("` ") == written(field.default), key


def written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_every_verdict_and_reason_is_explained() -> None:
    text = page("flags-and-verdicts.md")
    assert first_cells(text)[: len(VERDICTS)] == list(VERDICTS)
    assert set(get_args(Reason)) <= set(first_cells(text))


def test_every_command_has_a_row_and_a_section() -> None:
    (action,) = (
        each for each in cli.parser()._actions if isinstance(each, argparse._SubParsersAction)
    )
    text = page("command-line.md")
    rows = first_cells(text)
    for name in action.choices:
        assert name in rows
        assert f"\n## {name}\n" in text


def test_every_public_name_is_shown() -> None:
    text = page("api.md")
    missing = [name for name in pytest_beir.__all__ if f"`{name}`" not in text]
    assert missing == []


def test_type_checkers_see_the_names_that_are_there() -> None:
    source = Path(pytest_beir.__file__).read_text(encoding="utf-8")
    seen = re.findall(r"^    from (\S+) import (\w+) as \2$", source, re.MULTILINE)
    assert {name: module for module, name in seen} == {
        name: f"pytest_beir.{home}" for name, home in pytest_beir._HOMES.items()
    }
    for name in pytest_beir.__all__:
        assert getattr(pytest_beir, name).__name__ == name
