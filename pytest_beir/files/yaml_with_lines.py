"""YAML that knows its lines: what a file says, and where it says it.

Built from the parser's events, without recursion, so that nothing in a file can hang the reader or
overflow its stack: depth, numbers of values, digits and what aliases repeat have limits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

from pytest_beir.errors import LocatedError
from pytest_beir.files.content import read_text
from pytest_beir.files.yaml_scalars import SCALARS, TAG, kind_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Location: TypeAlias = tuple[str | int, ...]

LARGEST = 2 << 20  # bytes; 10,000 datasets with a folder each take one million
_DEEPEST = 50
_MOST_VALUES = 200_000
_MOST_REPEATED = 10_000  # values that aliases may repeat in all

_EVENTS: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, if built in


@dataclass(frozen=True)
class LocatedYaml:
    """A parsed document; `lines` maps the path of every key and item to its line, from 1.

    What an alias repeats has the line of the alias.
    """

    value: Any
    lines: Mapping[Location, int] = field(default_factory=dict)

    def line(self, location: Location) -> int:
        """The line of `location`, or of the nearest thing around it that the file holds."""
        for length in range(len(location), 0, -1):
            if location[:length] in self.lines:
                return self.lines[location[:length]]
        return 1

    def empty_values(self) -> Iterator[Location]:
        """The paths of all keys and items that have no value, in the order of the file."""
        for location in self.lines:
            value = self.value
            for step in location:
                value = value[step]
            if value is None:
                yield location


class _Dumper(yaml.SafeDumper):
    """Quotes what either version of YAML would take for something else than text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)  # noqa: FBT003 (lists are indented below their key)


for _kind, _pattern, _first in SCALARS:
    _Dumper.add_implicit_resolver(f"{TAG}{_kind}", re.compile(rf"(?:{_pattern})$"), _first)


def dump(value: object) -> str:
    """`value` as YAML text for people: keys in the given order, lists in blocks."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def parse(
    text: str,
    error: type[LocatedError] = LocatedError,
    *,
    aliases: int = 0,
    texts: bool = False,
) -> LocatedYaml:
    """The document in `text`, its scalars read as YAML 1.2 does; an empty text gives None.

    With `texts` every scalar stays the text that it is.

    Raises:
        LocatedError: of the class `error`, with a line but without a file: broken syntax, a key
            given twice or not text, a second document, a tag, more than so many `aliases`, an
            alias within its own anchor, or more than this module's limits.

    """
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise error(f"the character {found.group()!r} is not allowed in YAML", line=line)
    builder = _Builder(error, aliases, texts=texts)
    try:
        for event in yaml.parse(text, Loader=_EVENTS):
            builder.take(event)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        what = problem.problem or problem.context or "malformed"
        raise error(f"not valid YAML: {what}", line=mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as problem:
        raise error(f"not valid YAML: {problem}", line=1) from None
    return LocatedYaml(builder.value, builder.lines)


def read(path: Path, error: type[LocatedError] = LocatedError, *, aliases: int = 0) -> LocatedYaml:
    """The document in a UTF-8 file; see `parse`.

    Raises:
        LocatedError: of the class `error`, with file and line: it cannot be read or parsed.

    """
    text = read_text(path, error, largest=LARGEST)
    try:
        return parse(text, error, aliases=aliases)
    except LocatedError as problem:
        raise problem.at(path) from None


def show(location: Location) -> str:
    """A path as people write it: `datasets[1].weight`."""
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    value: list[Any] | dict[str, Any]
    path: Location
    anchor: str | None
    first: int  # values before it, so that its own can be counted
    key: str | None = None


class _Builder:
    """Values and lines from a parser's events."""

    def __init__(self, error: type[LocatedError], aliases: int, *, texts: bool) -> None:
        self.value: Any = None
        self.lines: dict[Location, int] = {}
        self._error = error
        self._aliases_left = aliases
        self._aliases = aliases
        self._texts = texts
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._values = 0
        self._repeated = 0
        self._documents = 0

    def take(self, event: Any) -> None:
        """Go on by one event."""
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, line)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._start(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self._open.pop()
            if done.anchor is not None:
                self._anchors[done.anchor] = done.value, self._values - done.first
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event.anchor, line)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._error("a second document begins here: keep one", line=line)

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        kind = "str" if self._texts else kind_of(event)
        if kind is None:
            raise self._tagged(str(event.tag), line)
        if self._wants_key():
            if kind != "str":
                raise self._error(
                    f"the key {event.value} is not text: write it in quotes", line=line
                )
            self._key(event.value, line)
            if event.anchor is not None:
                self._anchors[event.anchor] = event.value, 1
            return
        try:
            value = value_of(kind, event.value)
        except ValueError as problem:
            raise self._error(str(problem), line=line) from None
        self._place(value, line)
        if event.anchor is not None:
            self._anchors[event.anchor] = value, 1

    def _start(self, event: yaml.CollectionStartEvent, line: int) -> None:
        is_list = isinstance(event, yaml.SequenceStartEvent)
        if event.tag not in (None, "!", f"{TAG}{'seq' if is_list else 'map'}"):
            raise self._tagged(event.tag, line)
        if self._wants_key():
            raise self._error("the key a collection is not text: write it in quotes", line=line)
        if len(self._open) >= _DEEPEST:
            raise self._error(f"nested more than {_DEEPEST} deep", line=line)
        first = self._values
        value: list[Any] | dict[str, Any] = [] if is_list else {}
        path = self._place(value, line)
        if event.anchor is not None:
            self._anchors.pop(event.anchor, None)  # not to be named before it is complete
        self._open.append(_Open(value, path, event.anchor, first))

    def _alias(self, anchor: Any, line: int) -> None:
        if any(each.anchor == anchor for each in self._open):
            raise self._error(f"the alias *{anchor} is within its own anchor", line=line)
        if anchor not in self._anchors:
            raise self._error(f"not valid YAML: no anchor is called {anchor!r}", line=line)
        if self._aliases_left == 0:
            most = f"at most {self._aliases} are read" if self._aliases else "not allowed here"
            raise self._error(f"the alias *{anchor}: {most}; write it out", line=line)
        self._aliases_left -= 1
        value, size = self._anchors[anchor]
        self._repeated += size
        if self._repeated > _MOST_REPEATED:
            raise self._error(
                f"the alias *{anchor}: aliases repeat more than {_MOST_REPEATED:,} values",
                line=line,
            )
        if self._wants_key():
            if not isinstance(value, str):
                raise self._error(f"the key *{anchor} is not text: write it in quotes", line=line)
            self._key(value, line)
            return
        self._place(value, line)
        self._values += size - 1

    def _wants_key(self) -> bool:
        return (
            bool(self._open)
            and isinstance(self._open[-1].value, dict)
            and (self._open[-1].key is None)
        )

    def _key(self, key: str, line: int) -> None:
        within = self._open[-1]
        place = (*within.path, key)
        if place in self.lines:
            raise self._error(
                f"{show(place)}: this key is given twice, first on line {self.lines[place]}",
                line=line,
            )
        self.lines[place] = line
        within.key = key

    def _place(self, value: Any, line: int) -> Location:
        """Put a value where it belongs, and give its path."""
        self._values += 1
        if self._values > _MOST_VALUES:
            raise self._error(f"more than {_MOST_VALUES:,} values", line=line)
        if not self._open:
            self.value = value
            return ()
        within = self._open[-1]
        if isinstance(within.value, list):
            path: Location = (*within.path, len(within.value))
            self.lines[path] = line
            within.value.append(value)
            return path
        key = within.key or ""
        within.value[key] = value
        within.key = None
        return (*within.path, key)

    def _tagged(self, tag: str, line: int) -> LocatedError:
        shown = f"!!{tag.removeprefix(TAG)}" if tag.startswith(TAG) else tag
        return self._error(f"the tag {shown} is not read here: remove it", line=line)
