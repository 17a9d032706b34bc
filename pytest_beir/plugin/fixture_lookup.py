"""Where fixtures are defined: the one file that asks pytest's fixture manager."""

from __future__ import annotations

import dis
import inspect
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

    import pytest

    FixtureDef = pytest.FixtureDef[Any]


_OF_NODE = {
    "session": "",
    "package": "module",
    "module": "module",
    "class": "class",
    "function": "item",
}
"""How much of the test `request.node` tells of, by the scope of the fixture that reads it."""


def definitions(name: str, node: pytest.Item | pytest.Collector) -> tuple[FixtureDef, ...]:
    """The definitions of a fixture that a node sees, the overriding one last."""
    manager: Any = node.session._fixturemanager  # noqa: SLF001  # no public alternative exists
    return tuple(manager.getfixturedefs(name, node) or ())


def definitions_for_item(item: pytest.Item) -> dict[str, tuple[FixtureDef, ...]]:
    """Every fixture that an item needs, with its definitions, the overriding one last."""
    info: Any = getattr(item, "_fixtureinfo", None)
    found = info.name2fixturedefs if info is not None else {}
    return {name: tuple(defs) for name, defs in found.items()}


def definitions_seen_by(name: str, item: pytest.Item) -> tuple[FixtureDef, ...]:
    """The definitions of a fixture that a test gets, needed or not, the overriding one last."""
    return definitions_for_item(item).get(name) or definitions(name, item)


def owner(definition: FixtureDef, item: pytest.Item) -> tuple[Path | None, str]:
    """The file or folder for which pytest registered a fixture, and the class inside it.

    No file where it is registered for the whole session.
    """
    if is_replaced(definition):
        return None, ""
    base = definition.baseid  # pytest 9.1 has the node itself, older releases its id alone
    node = getattr(definition, "node", None) or next(
        (parent for parent in item.iter_parents() if base and parent.nodeid == base), None
    )
    if node is None or not node.nodeid:
        return None, ""
    return Path(node.path).resolve(), node.nodeid.partition("::")[2]


def source_file(definition: FixtureDef) -> Path:
    """The file that holds the fixture's function, symbolic links followed.

    The current folder where a callable has no Python source.
    """
    code = _code(definition)
    return Path(code.co_filename if code is not None else "unknown").resolve()


def source_line(definition: FixtureDef) -> int:
    """The line (from 1) on which the fixture's function begins, decorators included."""
    code = _code(definition)
    return code.co_firstlineno if code is not None else 1


def reads_of_request(definition: FixtureDef) -> str:
    """How much of the test the fixture's function may read off its request.

    Its `module`, `class` or `item`; empty where it reads nothing that differs between tests. The
    function counts with all that is nested in it, and with the functions of its own file that are
    called by name and take a request as well.
    """
    code = _code(definition)
    if code is None or "request" not in definition.argnames:
        return ""
    names = _names(code, getattr(inspect.unwrap(definition.func), "__globals__", {}), set())
    if names & {"node", "keywords"}:
        return _OF_NODE[definition.scope]
    if names & {"function", "_pyfuncitem"}:
        return "item"
    if names & {"cls", "instance"}:
        return "class"
    return "module" if names & {"module", "fspath", "request.path"} else ""


def _names(code: CodeType, variables: dict[str, Any], seen: set[CodeType]) -> set[str]:
    """What a function names, and so may read: attributes, and texts that `getattr` may be given."""
    seen.add(code)
    names = {*code.co_names, *(each for each in code.co_consts if isinstance(each, str))}
    for step, following in pairwise(dis.get_instructions(code)):
        loaded = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
        if loaded == "request" and following.argval == "path":  # `path` alone may be of `os`
            names.add("request.path")
    inner = [each for each in code.co_consts if inspect.iscode(each)]
    called = [getattr(variables.get(name), "__code__", None) for name in code.co_names]
    inner += [each for each in called if each is not None and "request" in each.co_varnames]
    for each in inner:
        if each not in seen:
            names |= _names(each, variables, seen)
    return names


def _code(definition: FixtureDef) -> CodeType | None:
    """The code of whatever callable pytest took for a fixture: a function, an object, a partial."""
    function: Any = inspect.unwrap(definition.func)
    while isinstance(function, partial):
        function = inspect.unwrap(function.func)
    code = getattr(function, "__code__", None)
    if code is None:
        code = getattr(inspect.unwrap(type(function).__call__), "__code__", None)
    return code if inspect.iscode(code) else None


def is_defined_by_user(definition: FixtureDef) -> bool:
    """Whether the definition is the user's, not the one that this plugin ships."""
    return not _module(definition).startswith("pytest_beir.")


def is_replaced(definition: FixtureDef) -> bool:
    """Whether pytest made the definition, for a value that `parametrize` gives in its place."""
    return _module(definition).startswith("_pytest.")


def _module(definition: FixtureDef) -> str:
    return str(getattr(definition.func, "__module__", None) or "")


def makes_suite(module: pytest.Module) -> bool:
    """Whether the conftest at which `module` stands defines the suite's retriever.

    A directory defines a fixture if more definitions are seen from it than from the one above;
    the root directory, if any are seen. Where `beir_retriever` is overridden, only the conftest
    that overrides it makes a suite, and a plain `retriever` below it does not.
    """
    if _users("beir_retriever", module):
        return _defines("beir_retriever", module)
    return _defines("retriever", module)


def _defines(name: str, module: pytest.Module) -> bool:
    seen = _users(name, module)
    above = _directory_above(module)
    if above is None:
        return bool(seen)
    if len(seen) > len(_users(name, above)):
        return True
    # With --rootdir below what is collected, or through a symbolic link, the whole session sees
    # the fixtures of a conftest, the directories above it included.
    is_root = module.path.parent.resolve() == module.session.path.resolve()
    of_session = [definition for definition in seen if not definition.baseid]
    return any(is_root or source_file(each) == module.path.resolve() for each in of_session)


def _users(name: str, node: pytest.Item | pytest.Collector) -> list[FixtureDef]:
    return [found for found in definitions(name, node) if is_defined_by_user(found)]


def _directory_above(module: pytest.Module) -> pytest.Collector | None:
    import pytest

    directories = [node for node in module.iter_parents() if isinstance(node, pytest.Directory)]
    return directories[1] if len(directories) > 1 else None
