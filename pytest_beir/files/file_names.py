"""Names of retrievers and datasets as file names, by one reversible escape.

Letters, digits, `.`, `_` and `-` stay; everything else becomes `%XX` per UTF-8 byte, and so do a
dot or hyphen at the start, a dot at the end, and the first letter of a name that Windows reserves.
A name with capitals gets `~` and the positions of its capitals as a hexadecimal bit mask, so that
two names that differ only by case are two files on every file system: `BM25` is `BM25~3`.
"""

from __future__ import annotations

import re

from pytest_beir.errors import BaselineError

LONGEST = 200

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)
_ESCAPED = re.compile(r"((?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+)(?:~([0-9a-f]+))?")


def escape(name: str) -> str:
    """The file name, without suffix, that stands for `name`.

    Raises:
        BaselineError: The name is empty, not text, or longer than a file system takes.

    """
    if not name:
        raise BaselineError("an empty name cannot name a baseline's file")
    try:
        text = "".join(
            char if char in _PLAIN and not _is_exposed(name, index) else _percent(char)
            for index, char in enumerate(name)
        )
    except UnicodeEncodeError:
        raise BaselineError(f"the name {name!r} is not valid Unicode: choose another") from None
    capitals = sum(1 << index for index, char in enumerate(name) if "A" <= char <= "Z")
    text += f"~{capitals:x}" if capitals else ""
    if len(text) > LONGEST:
        raise BaselineError(
            f"the name {name!r} is too long for a file name ({len(text)} characters when escaped,"
            f" at most {LONGEST}): give it a shorter one"
        )
    return text


def unescape(file_name: str) -> str | None:
    """The name that `escape` made this file name of, or None if it made no such file name.

    Capitals that a file system has lost come back.
    """
    match = _ESCAPED.fullmatch(file_name)
    if match is None:
        return None
    try:
        name = re.sub(
            r"(?:%[0-9A-Fa-f]{2})+",
            lambda found: bytes.fromhex(found.group().replace("%", "")).decode("utf-8"),
            match[1],
        )
    except UnicodeDecodeError:
        return None
    capitals = int(match[2] or "0", 16)
    name = "".join(
        char.upper() if capitals >> index & 1 else char.lower() if char.isascii() else char
        for index, char in enumerate(name)
    )
    try:
        written = escape(name)
    except BaselineError:
        return None
    return name if file_name in {written, written.lower()} else None


def _is_exposed(name: str, index: int) -> bool:
    """Whether a plain character would be read as more than itself at that place."""
    if index == 0 and (name[0] in ".-" or _RESERVED.match(name)):
        return True
    return index == len(name) - 1 and name[index] == "."


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8"))
