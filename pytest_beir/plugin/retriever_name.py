"""The name of a retriever, and so its baseline folder: from its own attribute, ids, or place."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import BeirError, UsageError
from pytest_beir.plugin import fixture_lookup
from pytest_beir.retrieval.user_code import attribute

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class RetrieverPlace:
    """What is known of a retriever before it exists.

    `origin` tells two retrievers apart: the file and line of the fixture and the parameters in
    use. `ids` are those of the parametrised fixtures that it depends on, `directory` holds the
    file that defines it, and `folder` is the same relative to the project folder. `problem` says
    why the ids are no good for a name.
    """

    origin: str
    ids: tuple[str, ...]
    directory: Path
    folder: str
    problem: str | None = None

    @property
    def name(self) -> str:
        """The name where the retriever does not bear one itself.

        Raises UsageError where a parameter has only an automatic id (`retriever0`), which would
        change with the order of the list.
        """
        if self.problem:
            raise UsageError(self.problem)
        return self.fallback

    @property
    def fallback(self) -> str:
        """A name for error messages, which never fails."""
        return "-".join(self.ids) or self.folder or "retriever"


def place(item: pytest.Item, project: Path) -> RetrieverPlace:
    """Where the retriever of `item` comes from; UsageError where no fixture makes one."""
    found = fixture_lookup.definitions_for_item(item)
    needed = _needed(found)
    indices: dict[str, int] = getattr(getattr(item, "callspec", None), "indices", {})
    ids = []
    parameters = []
    problem = None
    for name in [name for name in indices if name in needed and name != "beir_dataset"]:
        definition = found[name][-1]
        if definition.params is not None and not definition.params:
            continue  # an empty list of parameters: pytest skips the test
        given = _id(item, name, definition, indices[name])
        # pytest numbers what stands in a fixture's place test by test: only names tell it apart.
        number = "" if fixture_lookup.is_replaced(definition) else indices[name]
        parameters.append(f"{name}={given or number}")
        if given is None:
            problem = (
                f"parameter {indices[name]} of fixture '{name}' has no id of its own, and "
                f"'{name}{indices[name]}' would change with the order of the list: pass ids=[...] "
                f"to the fixture, or give the retriever a 'name' attribute"
            )
        elif given:
            ids.append(given)
    definition = _retriever(found)
    file = fixture_lookup.source_file(definition)
    origin = f"{file}:{fixture_lookup.source_line(definition)}"
    return RetrieverPlace(
        origin="|".join([origin, *parameters]),
        ids=tuple(ids),
        directory=_directory(file, item.path.parent, project),
        folder=_relative(_directory(file, item.path.parent, project), project),
        problem=problem,
    )


def _retriever(found: dict[str, tuple[Any, ...]]) -> Any:
    """The definition that a user would call "my retriever"."""
    override = found.get("beir_retriever", ())
    if override and fixture_lookup.is_defined_by_user(override[-1]):
        return override[-1]
    plain = found.get("retriever", ())
    if not plain:
        raise UsageError(
            "no fixture 'retriever' (or 'beir_retriever') is visible to this test; "
            "define one in a conftest.py at or above it"
        )
    return plain[-1]


def _needed(found: dict[str, tuple[Any, ...]]) -> set[str]:
    """The fixtures that the retriever is built from, itself included."""
    needed: set[str] = set()
    waiting = ["beir_retriever"]
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        for definition in found.get(name, ()):
            waiting.extend(definition.argnames)
    return needed


def _id(item: pytest.Item, name: str, definition: Any, index: int) -> str | None:
    """The id that the user or a value's own name gives a parameter, as pytest reads them.

    None where there is none, and an empty text where its author hides it.
    """
    given = None
    if definition.params is None:  # parametrised from outside: `indirect`, or in its place
        value = item.callspec.params[name]  # type: ignore[attr-defined]  # parametrised, so there
    else:
        value = definition.params[index]
        if hasattr(value, "marks") and hasattr(value, "values"):
            given = value.id
            value = value.values[0]
    if given is None and definition.ids is not None:
        given = definition.ids(value) if callable(definition.ids) else definition.ids[index]
    if given is None:
        given = item.config.hook.pytest_make_parametrize_id(
            config=item.config, val=value, argname=name
        )
    if given is None:
        given = _plain_id(value)
    if given is None and definition.params is None:
        given = _own_name(value)
    if given is not None and given is getattr(pytest, "HIDDEN_PARAM", None):
        return ""
    return None if given is None else str(given)


def _plain_id(value: object) -> str | None:
    if isinstance(value, enum.Enum) or value is None or isinstance(value, (bool, int, float)):
        return str(value)
    if isinstance(value, str):
        return value or None
    name = getattr(value, "__name__", None)
    return name if isinstance(name, str) else None


def _own_name(value: object) -> str | None:
    """The name of a retriever that stands in the fixture's place, and so exists already."""
    try:
        name = attribute(value, "name")
    except BeirError:
        return None
    return name if isinstance(name, str) and name.strip() else None


def _directory(file: Path, suite: Path, project: Path) -> Path:
    """The folder of the defining file, or the suite's where that lies outside the project."""
    return file.parent if file.parent.is_relative_to(project) else suite


def _relative(directory: Path, project: Path) -> str:
    if not directory.is_relative_to(project):
        return ""
    relative = directory.relative_to(project).as_posix()
    return "" if relative == "." else relative
