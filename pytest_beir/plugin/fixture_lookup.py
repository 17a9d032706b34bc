"""Where fixtures are defined: the one file that asks pytest's fixture manager."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    FixtureDef = pytest.FixtureDef[Any]


def definitions(name: str, node: pytest.Item | pytest.Collector) -> tuple[FixtureDef, ...]:
    """The definitions of a fixture that a node sees, the overriding one last."""
    manager: Any = node.session._fixturemanager  # noqa: SLF001  # no public alternative exists
    return tuple(manager.getfixturedefs(name, node) or ())


def definitions_for_item(item: pytest.Item) -> dict[str, tuple[FixtureDef, ...]]:
    """Every fixture that an item needs, with its definitions, the overriding one last."""
    info: Any = getattr(item, "_fixtureinfo", None)
    found = info.name2fixturedefs if info is not None else {}
    return {name: tuple(defs) for name, defs in found.items()}


def source_file(definition: FixtureDef) -> Path:
    """The file in which the fixture's function stands."""
    return Path(inspect.unwrap(definition.func).__code__.co_filename)


def source_line(definition: FixtureDef) -> int:
    """The line (from 1) on which the fixture's function begins, decorators included."""
    return int(inspect.unwrap(definition.func).__code__.co_firstlineno)


def is_defined_by_user(definition: FixtureDef) -> bool:
    """Whether the definition is the user's, not the one that this plugin ships."""
    return not definition.func.__module__.startswith("pytest_beir.")


def is_replaced(definition: FixtureDef) -> bool:
    """Whether pytest made the definition, for a value that `parametrize` gives in its place."""
    return definition.func.__module__.startswith("_pytest.")


def makes_suite(module: pytest.Module) -> bool:
    """Whether the conftest at which `module` stands defines the suite's retriever.

    A directory defines a fixture if more definitions are seen from it than from the one above;
    the root directory, if any are seen. Where `beir_retriever` is overridden, only the conftest
    that overrides it makes a suite, and a plain `retriever` below it does not.
    """
    above = _directory_above(module)
    overriding = _users("beir_retriever", module)
    if overriding:
        return above is None or len(overriding) > len(_users("beir_retriever", above))
    plain = _users("retriever", module)
    return bool(plain) and (above is None or len(plain) > len(_users("retriever", above)))


def _users(name: str, node: pytest.Item | pytest.Collector) -> list[FixtureDef]:
    return [found for found in definitions(name, node) if is_defined_by_user(found)]


def _directory_above(module: pytest.Module) -> pytest.Collector | None:
    import pytest

    directories = [node for node in module.iter_parents() if isinstance(node, pytest.Directory)]
    return directories[1] if len(directories) > 1 else None
