"""Long documents cut into passages, whose ids fold back to their documents'."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.matching import normal, without_hop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SEPARATOR = "#"
"""What follows it in a passage's id is the passage's number: `guide.md#3`."""

# Paragraphs, and sentences in them; what stands between belongs to the piece before.
_PIECE = re.compile(r".+?(?:\n\s*\n|(?<=[.!?])\s+|\Z)", re.DOTALL)
_WORD = re.compile(r"\S+\s*")


def cut(
    documents: Mapping[str, tuple[str, str]], words: int
) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, ...]]]:
    """Passages of at most so many words, {id: (title, text)}, and {document id: passage ids}.

    A document that is short enough keeps its id. Passages end at a sentence or paragraph where
    they can, have their document's title, and are its whole text in order.

    Raises:
        DatasetError: An id holds the separator, so that its passages would not fold back.

    """
    passages: dict[str, tuple[str, str]] = {}
    of: dict[str, tuple[str, ...]] = {}
    for identifier, (title, text) in documents.items():
        if SEPARATOR in identifier:
            raise DatasetError(
                f"the document id {identifier!r} holds {SEPARATOR!r}, which --passages puts"
                " before a passage's number; rename the document"
            )
        parts = list(_parts(text, words))
        ids = [f"{identifier}{SEPARATOR}{number}" for number in range(1, len(parts) + 1)]
        if len(parts) < 2:  # noqa: PLR2004
            ids, parts = [identifier], [text]
        of[identifier] = tuple(ids)
        passages.update({one: (title, part) for one, part in zip(ids, parts, strict=True)})
    return passages, of


def passages_with(
    texts: Mapping[str, tuple[str, str]], passages: Sequence[str] | None, reference: str
) -> tuple[str, ...]:
    """Of a document's passages in order, those that hold (much of) a text; all if none does.

    Much is half of the text, or half of the passage.
    """
    if not passages or len(passages) == 1:
        return tuple(passages or ())
    parts = [normal(texts[name][1]).split() for name in passages]
    wanted = normal(without_hop(reference)).split()
    start = _position(wanted, [word for part in parts for word in part])
    if start is None:
        return tuple(passages)
    end, at, found = start + len(wanted), 0, []
    for name, part in zip(passages, parts, strict=True):
        shared = min(end, at + len(part)) - max(start, at)
        found.append((shared, name, 2 * shared >= min(len(wanted), len(part))))
        at += len(part)
    held = tuple(name for shared, name, is_much in found if is_much and shared > 0)
    return held or (max(found)[1],)


def _parts(text: str, most: int) -> Iterator[str]:
    held, count = "", 0
    for piece in _pieces(text, most):
        size = len(piece.split())
        if count and count + size > most:
            yield held.strip()
            held, count = "", 0
        held, count = held + piece, count + size
    if held.strip():
        yield held.strip()


def _pieces(text: str, most: int) -> Iterator[str]:
    for match in _PIECE.finditer(text):
        words = _WORD.findall(match[0])
        if len(words) <= most:
            yield match[0]
            continue
        for start in range(0, len(words), most):
            yield "".join(words[start : start + most])


def _position(wanted: list[str], words: list[str]) -> int | None:
    """Where some words stand in a row among others; 0 where they hold all of them."""
    text, padded = f" {' '.join(words)} ", f" {' '.join(wanted)} "
    at = text.find(padded)
    if at >= 0:
        return text[:at].count(" ")
    inside = padded.find(text)
    return None if inside < 0 else -padded[:inside].count(" ")
