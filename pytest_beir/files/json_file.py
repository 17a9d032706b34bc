"""JSON made elsewhere: bounded in size, depth and digits, and every key of an object once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_beir.errors import DatasetError, LocatedError
from pytest_beir.files.content import LARGEST, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DEEPEST = 100  # no file that we read nests deeper than ten
MOST_DIGITS = 400  # of a number; the largest double has 309
_QUOTED = 40


def read_json(
    path: Path, error: type[LocatedError] = DatasetError, *, largest: int = LARGEST
) -> Any:
    """The JSON value in a file in UTF-8, with or without a byte order mark.

    Raises:
        LocatedError: of the class `error`: the file cannot be read, or is not JSON as RFC 8259
            has it, or names a key twice, or exceeds a limit of this module.

    """
    text = read_text(path, error, largest=largest)
    try:
        return parse_json(text, error)
    except LocatedError as problem:
        raise problem.at(path) from problem.__cause__


def parse_json(text: str, error: type[LocatedError] = DatasetError) -> Any:
    """The JSON value in a text.

    Raises:
        LocatedError: of the class `error`, with a line but without a file; see `read_json`.

    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        raise error(
            f"malformed JSON at column {problem.colno} ({problem.msg})", line=problem.lineno
        ) from problem
    except RecursionError:
        raise error(_TOO_DEEP, line=1) from None
    except ValueError as problem:
        raise error(f"malformed JSON ({problem})", line=1) from problem
    complaint = _complaint(value)
    if complaint:
        raise error(complaint, line=1)
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs.

    Raises:
        ValueError: a key is in it twice, so that two readers could take two different values.

    """
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {shortened_repr(twice)} is in one object twice")
    return made


def whole_number(digits: str) -> int:
    """The number that the digits of a JSON text write.

    Raises:
        ValueError: there are more than `MOST_DIGITS`.

    """
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits, at most {MOST_DIGITS} are read")
    return int(digits)


def refuse_constant(constant: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which Python's reader takes and JSON does not have.

    Raises:
        ValueError: always.

    """
    raise ValueError(f"{constant} is not JSON")


def shortened_repr(text: str) -> str:
    """A text in quotes, its end left out where it is long."""
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}…"


_TOO_DEEP = f"nested more than {DEEPEST} deep"


def json_decoder() -> json.JSONDecoder:
    """A strict decoder: each key once, no `NaN`, no number of many digits."""
    return json.JSONDecoder(
        parse_constant=refuse_constant, parse_int=whole_number, object_pairs_hook=unique_keys
    )


_DECODER = json_decoder()


def _complaint(value: Any) -> str:
    """What no file of ours holds: a deep nest, or half of a character; empty for a sane value."""
    level: Iterable[Any] = (value,)
    for _ in range(DEEPEST):
        below: list[Any] = []
        for each in level:
            if isinstance(each, str):
                if not each.isascii() and not _is_whole(each):
                    return f"the text {each[:_QUOTED]!r} holds half of a surrogate pair"
            elif isinstance(each, list):
                below += each
            elif isinstance(each, dict):
                below += each.keys()
                below += each.values()
        if not below:
            return ""
        level = below
    return _TOO_DEEP


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
