"""Which retriever a test has, and what it is called: the one place that decides both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import UsageError
from pytest_beir.plugin import fixture_lookup, outside_parameters, state
from pytest_beir.plugin.parameter_ids import parameter_id
from pytest_beir.plugin.retriever_key import FixtureUse, RetrieverKey

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    import pytest

_NOT_ITS_OWN = ("request", "beir_dataset")
_OURS = ("retriever", "beir_retriever")


@dataclass(frozen=True)
class RetrieverIdentity:
    """What is known of a test's retriever, whether or not it exists already.

    `context` is equal for tests that ask for one retriever with equal parameters, seen before
    anything is set up. `ids` are those of the parametrised fixtures in use, `directory` holds the
    file that defines the retriever, and `folder` is the same relative to the project folder.
    `problem` says why the ids are no good for a name.
    """

    key: RetrieverKey
    context: str
    ids: tuple[str, ...]
    directory: Path
    folder: str
    problem: str | None = None

    @property
    def name(self) -> str:
        """The name where the retriever has none of its own.

        Raises:
            UsageError: A parameter has only an automatic id (`retriever0`), which would change
                with the order of the list, or shares its id with another one.

        """
        if self.problem:
            raise UsageError(self.problem)
        return self.fallback

    @property
    def fallback(self) -> str:
        """A name for error messages, which never fails."""
        return "-".join(self.ids) or self.folder or "retriever"


def identify(item: pytest.Item, project: Path) -> RetrieverIdentity:
    """The retriever of a test, as far as it has been set up.

    Raises:
        UsageError: No fixture makes a retriever for this test.

    """
    own = _own_definition(item)
    used = dict(_used(item, project))
    indices: dict[str, int] = getattr(getattr(item, "callspec", None), "indices", {})
    ids = []
    problem = None
    for name, index in indices.items():
        if all(definition.argname != name for definition in used):
            continue
        identifier = parameter_id(item, name, _parametrised(used, name), index)
        problem = problem or identifier.problem
        if identifier.text:
            ids.append(identifier.text)
    file = fixture_lookup.source_file(own)
    directory = _directory(file, item, project)
    uses = sorted(used.items(), key=lambda pair: pair[0] is not own)
    return RetrieverIdentity(
        key=RetrieverKey(tuple(use for _, use in uses)),
        context=_context(item, project),
        ids=tuple(ids),
        directory=directory,
        folder=_relative(directory, project),
        problem=problem,
    )


def unknown(project: Path) -> RetrieverIdentity:
    """What stands for a retriever that no fixture makes."""
    return RetrieverIdentity(RetrieverKey(()), "", (), project, "")


def _own_definition(item: pytest.Item) -> fixture_lookup.FixtureDef:
    """The definition that a user would call "my retriever"."""
    override = fixture_lookup.definitions_seen_by("beir_retriever", item)
    if override and fixture_lookup.is_defined_by_user(override[-1]):
        return override[-1]
    plain = fixture_lookup.definitions_seen_by("retriever", item)
    if not plain:
        raise UsageError(
            "no fixture 'retriever' (or 'beir_retriever') is visible to this test; "
            "define one in a conftest.py at or above it"
        )
    return plain[-1]


def _used(
    item: pytest.Item, project: Path, *, expected: bool = False
) -> Iterator[tuple[fixture_lookup.FixtureDef, FixtureUse]]:
    """Every definition that the retriever is made of: by its arguments, and by what it asked for.

    With `expected`, by arguments alone, which is known before anything is set up.
    """
    watch = item.config.stash.get(state.FIXTURE_WATCH, None)
    seen = set()
    waiting: list[tuple[str, tuple[str, ...]]] = [("beir_retriever", ())]
    while waiting:
        name, requested_by = waiting.pop(0)
        if name in _NOT_ITS_OWN:
            continue
        definitions = fixture_lookup.definitions_seen_by(name, item)
        # A fixture that asks for its own name gets the one that it overrides.
        depth = requested_by.count(name) + 1
        if depth > len(definitions) or definitions[-depth] in seen:
            continue
        definition = definitions[-depth]
        seen.add(definition)
        yield definition, _use(item, definition, project)
        asked = () if expected or watch is None else watch.asked_by(definition)
        needed = dict.fromkeys((*definition.argnames, *asked))
        waiting.extend((each, (*requested_by, name)) for each in needed)


def _use(item: pytest.Item, definition: fixture_lookup.FixtureDef, project: Path) -> FixtureUse:
    file, line = fixture_lookup.source_file(definition), fixture_lookup.source_line(definition)
    home, inside = fixture_lookup.owner(definition, item)
    is_given = definition.argname in _OURS and fixture_lookup.is_replaced(definition)
    parameter = _parameter(item, definition.argname)
    if reads := fixture_lookup.reads_of_request(definition):  # another test may say another model
        parameter = " ".join([parameter, _read(item, reads, project)]).strip()
    owner = "" if home is None else _shown(home, project)
    return FixtureUse(
        name=definition.argname,
        owner=f"{owner}::{inside}" if inside else owner,
        file="parametrize" if is_given else _shown(file, project),
        line=None if is_given else line,
        parameter=parameter,
    )


def _read(item: pytest.Item, reads: str, project: Path) -> str:
    """What a fixture may have read of the test: its module, its class, or all but the dataset."""
    module = _shown(item.path.resolve(), project)
    names = item.nodeid.partition("[")[0].split("::")[1:]
    parts = {"module": [], "class": names[:-1], "item": names}[reads]
    text = "::".join([module, *parts])
    return f"{text} {_parameters(item)}" if reads == "item" and _parameters(item) else text


def _parameters(item: pytest.Item) -> str:
    callspec: Any = getattr(item, "callspec", None)
    names = sorted(callspec.indices) if callspec is not None else []
    return ", ".join(f"{n} = {_parameter(item, n)}" for n in names if n not in _NOT_ITS_OWN)


def _shown(path: Path, project: Path) -> str:
    """The path as the project's people write it."""
    home = project.resolve()
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else str(path)


def _parameter(item: pytest.Item, name: str) -> str:
    callspec: Any = getattr(item, "callspec", None)
    if callspec is None or name not in callspec.indices:
        return ""
    return outside_parameters.token(item, name) or f"parameter {callspec.indices[name]}"


def _context(item: pytest.Item, project: Path) -> str:
    uses = tuple(use for _, use in _used(item, project, expected=True))
    return repr((RetrieverKey(uses).plain(), _parameters(item)))


def _parametrised(
    used: Collection[fixture_lookup.FixtureDef], name: str
) -> fixture_lookup.FixtureDef:
    """The definition of that name whose parameters are in use: an override may inherit them."""
    named = [definition for definition in used if definition.argname == name]
    return next((each for each in named if each.params is not None), named[0])


def _directory(file: Path, item: pytest.Item, project: Path) -> Path:
    """The folder of the defining file, or the suite's where that lies outside the project."""
    inside = file.parent.is_relative_to(project.resolve())
    return file.parent if inside else item.path.resolve().parent


def _relative(directory: Path, project: Path) -> str:
    home = project.resolve()
    if not directory.is_relative_to(home):
        return ""
    relative = directory.relative_to(home).as_posix()
    return "" if relative == "." else relative
