"""YAML that knows its lines: what a file says, and where it says it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Location: TypeAlias = tuple[str | int, ...]

_FIRST = list("-+0123456789.")
# The scalars of YAML 1.2's core schema. PyYAML follows YAML 1.1, in which `no` is false, `1:30` is
# ninety, and `1e-3` is a text.
_SCALARS: tuple[tuple[str, str, list[str]], ...] = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+", _FIRST),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", _FIRST),
    ("float", r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", _FIRST),
)


class MarkedYamlError(ValueError):
    """A text that is not YAML, or not the YAML we read: `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@dataclass(frozen=True)
class MarkedYaml:
    """A parsed document; `lines` maps the path of every key and item to its line, from 1."""

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


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (PyYAML's own registry)


class _Dumper(yaml.SafeDumper):
    """Quotes what either version of YAML would take for something else than text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)  # noqa: FBT003 (lists are indented below their key)


for _tag, _pattern, _first in _SCALARS:
    for _class in (_Loader, _Dumper):
        _class.add_implicit_resolver(
            f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})$"), _first
        )


def _int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(loader.construct_scalar(node))


def _float(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
    return float(re.sub(r"\.(?=[a-zA-Z])", "", loader.construct_scalar(node)))


_Loader.add_constructor("tag:yaml.org,2002:int", _int)
_Loader.add_constructor("tag:yaml.org,2002:float", _float)


def dump(value: object) -> str:
    """`value` as YAML text for people: keys in the given order, lists in blocks."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def parse(text: str) -> MarkedYaml:
    """The document in `text`, its scalars read as YAML 1.2 does; an empty text gives None.

    Raises MarkedYamlError for broken syntax, a key given twice, a key that is not text, a second
    document, and a node that contains itself.
    """
    _refuse_control_characters(text)
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return MarkedYaml(None)
        lines: dict[Location, int] = {}
        _walk(node, (), lines, ())
        return MarkedYaml(loader.construct_document(node), lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "malformed"
        raise MarkedYamlError(mark.line + 1 if mark else 1, f"not valid YAML: {problem}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, MarkedYamlError):
            raise
        raise MarkedYamlError(1, f"not valid YAML: {error}") from None
    finally:
        loader.dispose()


def _refuse_control_characters(text: str) -> None:
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise MarkedYamlError(line, f"the character {found.group()!r} is not allowed in YAML")


def _walk(
    node: yaml.Node, path: Location, lines: dict[Location, int], around: tuple[int, ...]
) -> None:
    if id(node) in around:
        raise MarkedYamlError(node.start_mark.line + 1, "an alias stands within its own anchor")
    around = (*around, id(node))
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            lines[(*path, index)] = item.start_mark.line + 1
            _walk(item, (*path, index), lines, around)
    elif isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.tag != "tag:yaml.org,2002:str":
                shown = key_node.value if isinstance(key_node, yaml.ScalarNode) else "a collection"
                raise MarkedYamlError(line, f"the key {shown} is not text: write it in quotes")
            place = (*path, key_node.value)
            if place in lines:
                first = lines[place]
                raise MarkedYamlError(
                    line, f"{show(place)}: this key stands twice, first on line {first}"
                )
            lines[place] = line
            _walk(value_node, place, lines, around)


def show(location: Location) -> str:
    """A path as people write it: `datasets[1].weight`."""
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def read(path: Path) -> MarkedYaml:
    """The document in the UTF-8 file `path`; see `parse`. Raises OSError if it cannot be read."""
    content = path.read_bytes()
    try:
        return parse(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MarkedYamlError(line, f"not UTF-8: byte 0x{content[error.start]:02x}") from None
