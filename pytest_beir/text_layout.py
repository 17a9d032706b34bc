"""Lines of a fixed width for a terminal: cells, wrapped paragraphs, and the ASCII fallback."""

from __future__ import annotations

import re
import shlex
import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["plain", "bold", "red", "green", "yellow", "dim"]

WIDTH = 80
_ASCII = str.maketrans(
    {
        "−": "-",
        "→": "->",
        "Δ": "delta",
        "α": "alpha",
        "≥": ">=",
        "≤": "<=",
        "·": "-",
        "…": "..",
        "–": "-",
        "—": "-",
    }
)
# Control characters, line separators that are none here, bidirectional controls, half characters.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NBSP = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Line:
    """One line of output and how it is to be shown; the text has no colour codes."""

    text: str
    style: Style = "plain"


def columns(text: str) -> int:
    """Terminal columns that `text` takes: wide East Asian characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def cut(text: str, room: int, *, ascii: bool = False) -> str:  # noqa: A002 (the option's name)
    """`text` in at most `room` columns, the end replaced by an ellipsis where it is longer."""
    mark = ".." if ascii else "…"
    if columns(text) <= room:
        return text
    return _head(text, room - len(mark)) + mark if room > len(mark) else _head(text, room)


def cut_middle(text: str, room: int, *, ascii: bool = False) -> str:  # noqa: A002
    """`text` in at most `room` columns, the middle replaced: names differ at their ends."""
    mark = ".." if ascii else "…"
    if columns(text) <= room:
        return text
    if room <= len(mark):
        return _head(text, room)
    kept = room - len(mark)
    tail = _head(text[::-1], kept // 2)[::-1]
    return _head(text, kept - columns(tail)) + mark + tail


def clean(text: str) -> str:
    """`text` on one line, without control characters: it may come from a dataset or an error."""
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(
        " " if unicodedata.category(character)[0] in "CZ" and character != _NBSP else character
        for character in text
    )
    return " ".join(part for part in shown.split(" ") if part)


def visible(text: str) -> str:
    r"""`text` with what a terminal would obey, or would turn round, written out (`\u001b`).

    Line feeds and tabs stay. So do the letters of every script, and what JSON says stays the same.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _OBEYED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def in_encoding(text: str, encoding: str) -> str:
    """`text` as a console of that encoding can show it, its lines kept."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        spelled = text.translate(_ASCII).replace(_NBSP, " ")
        return spelled.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")
    return text


class Page:
    """Collects lines of at most `width` columns; with `ascii` every sign has an ASCII spelling.

    A no-break space keeps two words together when a paragraph is wrapped.
    """

    def __init__(self, *, width: int = WIDTH, ascii: bool = False) -> None:  # noqa: A002
        self.width = width
        self.ascii = ascii
        self.lines: list[Line] = []

    def spell(self, text: str) -> str:
        """`text` as this page writes it; to be called before a width is computed."""
        if not self.ascii:
            return text
        return (
            text.translate(_ASCII)
            .replace(_NBSP, "\0")
            .encode("ascii", "replace")
            .decode("ascii")
            .replace("\0", _NBSP)
        )

    def add(self, text: str, style: Style = "plain") -> None:
        """Add one line, cut at the page's width."""
        shown = self.spell(text).replace(_NBSP, " ").rstrip()
        self.lines.append(Line(cut(shown, self.width, ascii=self.ascii), style))

    def blank(self) -> None:
        """Add an empty line, unless the page is empty or ends with one."""
        if self.lines and self.lines[-1].text:
            self.lines.append(Line(""))

    def paragraph(
        self, text: str, style: Style = "plain", *, indent: str = "", hanging: str = "    "
    ) -> None:
        """Add `text` wrapped at spaces, the first line behind `indent`, the others `hanging`."""
        line, prefix = indent, indent
        for word in clean(self.spell(text)).split(" "):
            gap = "" if line == prefix else " "
            if gap and columns(line) + 1 + columns(word) > self.width:
                self.add(line, style)
                line = prefix = hanging
                gap = ""
            fitting = cut_middle(word, self.width - columns(prefix), ascii=self.ascii)
            line += gap + fitting
        self.add(line, style)

    def command(self, text: str, style: Style = "plain", *, indent: str = "") -> None:
        """Add a command to be copied: never cut, continued by a backslash where it is long."""
        line = indent
        for word in shell_words(text):
            if line != indent and columns(line) + columns(word) + 3 > self.width:
                self.lines.append(Line(f"{line} \\", style))
                line = f"{indent}  "
            line += word if line.isspace() or not line else f" {word}"
        self.lines.append(Line(line, style))


def shell_words(command: str) -> list[str]:
    """The words of a command as they are written, quotes included."""
    return [shlex.quote(word) for word in shlex.split(command)]


def _head(text: str, room: int) -> str:
    used = 0
    for position, character in enumerate(text):
        used += _columns(character)
        if used > room:
            return text[:position]
    return text


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
