"""What a single value of a YAML file is, by YAML 1.2: text, number, truth value or nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yaml

_MOST_DIGITS = 400

_FIRST = list("-+0123456789.")
# The scalars of YAML 1.2's core schema. PyYAML follows YAML 1.1, in which `no` is false, `1:30` is
# ninety, and `1e-3` is a text.
SCALARS: tuple[tuple[str, str, list[str]], ...] = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+", _FIRST),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", _FIRST),
    ("float", r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", _FIRST),
)
_KINDS = tuple((kind, re.compile(pattern), frozenset(first)) for kind, pattern, first in SCALARS)
TAG = "tag:yaml.org,2002:"
_TYPES = ("null", "bool", "int", "float", "str")


def kind_of(event: yaml.ScalarEvent) -> str | None:
    """Which of the schema's kinds a value is; None where it has a tag that is not read."""
    if event.tag is not None and event.tag != "!":
        kind = str(event.tag).removeprefix(TAG)
        return kind if kind in _TYPES else None
    if not event.implicit[0]:
        return "str"
    start = event.value[:1]
    for kind, pattern, first in _KINDS:
        if start in first and pattern.fullmatch(event.value):
            return kind
    return "str"


def value_of(kind: str, text: str) -> str | float | bool | None:
    """The value that a text of that kind means.

    Raises:
        ValueError: It means none, or is a number too long to be read.

    """
    if kind == "str":
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return text.casefold() == "true"
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(text):,} characters")
    try:
        return int(text) if kind == "int" else float(re.sub(r"\.(?=[a-zA-Z])", "", text))
    except ValueError as problem:
        raise ValueError(f"not valid YAML: {problem}") from None
