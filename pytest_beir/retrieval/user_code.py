"""What comes from the user's code, read and put into words without trusting it.

A value's `repr`, an exception's `str` and an attribute's property may themselves raise, be very
long, or hold what no terminal and no file takes.
"""

from __future__ import annotations

from typing import Any

from pytest_beir.errors import RetrieverError

_SHOWN = 60
_LONGEST = 600


def shown(value: object) -> str:
    """The value and its type, in a few words."""
    kind = type(value).__name__
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # the user's code may raise anything
        return f"an object whose repr() fails ({kind})"
    return f"{_cut(printable(text), _SHOWN)} ({kind})"


def described(error: BaseException) -> str:
    """The exception's type and message on one line of limited length."""
    kind = type(error).__name__
    try:
        text = printable(str(error))
    except Exception:  # noqa: BLE001  # the user's code may raise anything
        return f"{kind} (whose message cannot be read)"
    return f"{kind}: {_cut(text, _LONGEST)}" if text else kind


def printable(text: str) -> str:
    """The text on one line, control characters and halves of surrogate pairs escaped."""
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in line)


def text(value: str) -> str:
    """The text itself, where it is of a subclass such as numpy's or a member of an enum."""
    return value if type(value) is str else str.__str__(value)


def attribute(value: Any, name: str) -> Any:
    """The attribute, None where there is none.

    Raises:
        RetrieverError: Reading it raises.

    """
    try:
        return getattr(value, name, None)
    except Exception as error:
        raise RetrieverError(
            f"the retriever of type {type(value).__name__}: reading its attribute {name!r} raised"
            f" {described(error)}"
        ) from error


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
