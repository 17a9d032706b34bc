"""Texts that a relevant document holds, matched to the documents that hold them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

How: TypeAlias = Literal["exactly", "after normalising", "by containment"]

_FEWEST_WORDS = 4
"""A shorter text is in too many documents to say which one is meant."""
_MOST = 5
"""A text in more documents than these says nothing of any of them."""
_HOP = re.compile(r"^\s*<\d+-hop>\s*")  # RAGAS puts it before the texts of a chain


@dataclass(frozen=True)
class TextMatch:
    """The documents that hold a text, and how they were found; none where it is in none."""

    documents: tuple[str, ...]
    how: How | None = None
    reason: str = ""


@dataclass(frozen=True)
class Matcher:
    """Finds documents by a text: equal to it, equal but for blanks and signs, or holding it.

    A document that is itself part of the text counts as well: the text was made of several.
    """

    documents: Mapping[str, tuple[str, str]]

    def find(self, reference: str) -> TextMatch:
        """The documents that a text refers to."""
        reference = _HOP.sub("", reference).strip()
        exact = self._exact.get(reference)
        if exact:
            return TextMatch(tuple(exact), "exactly")
        wanted = _normal(reference)
        same = self._normalised.get(wanted)
        if wanted and same:
            return TextMatch(tuple(same), "after normalising")
        if wanted.count(" ") + 1 < _FEWEST_WORDS:
            return TextMatch(
                (), reason=f"fewer than {_FEWEST_WORDS} words, and no document is equal"
            )
        found = self._around(wanted) or self._within(wanted)
        if 0 < len(found) <= _MOST:
            return TextMatch(tuple(found), "by containment")
        holding = f"{len(found)} documents hold it" if found else "no document holds it"
        return TextMatch((), reason=holding)

    def _around(self, wanted: str) -> list[str]:
        # Blanks around, so that no word is found within another one.
        padded = f" {wanted} "
        rarest = min((self._with_word.get(word, ()) for word in wanted.split()), key=len)
        return [name for name in rarest if padded in self._texts[name]]

    def _within(self, wanted: str) -> list[str]:
        padded, words = f" {wanted} ", wanted.split()
        starts = {tuple(words[at : at + _FEWEST_WORDS]) for at in range(len(words))}
        return [
            name
            for start in sorted(starts)
            for name in self._starting.get(start, ())
            if self._texts[name] in padded
        ]

    @cached_property
    def _with_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, text in self._texts.items():
            for word in set(text.split()):
                found.setdefault(word, []).append(name)
        return found

    @cached_property
    def _starting(self) -> dict[tuple[str, ...], list[str]]:
        """Documents of more words than a few, by their first few."""
        found: dict[tuple[str, ...], list[str]] = {}
        for name, text in self._texts.items():
            words = text.split(maxsplit=_FEWEST_WORDS)
            if len(words) > _FEWEST_WORDS:
                found.setdefault(tuple(words[:_FEWEST_WORDS]), []).append(name)
        return found

    @cached_property
    def _exact(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, (title, text) in self.documents.items():
            for form in {text.strip(), f"{title}\n{text}".strip(), f"{title} {text}".strip()}:
                found.setdefault(form, []).append(name)
        return found

    @cached_property
    def _normalised(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, (title, text) in self.documents.items():
            for form in {_normal(text), _normal(f"{title} {text}")}:
                found.setdefault(form, []).append(name)
        return found

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {
            name: f" {_normal(f'{title} {text}')} "
            for name, (title, text) in self.documents.items()
        }


def _normal(text: str) -> str:
    """Letters and digits in lower case, one blank between words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", folded))


def passages_with(
    texts: Mapping[str, tuple[str, str]], passages: Sequence[str] | None, reference: str
) -> tuple[str, ...]:
    """Of a document's passages in order, those that hold (much of) a text; all if none does.

    Much is half of the text, or half of the passage.
    """
    if not passages or len(passages) == 1:
        return tuple(passages or ())
    parts = [_normal(texts[name][1]).split() for name in passages]
    wanted = _normal(_HOP.sub("", reference)).split()
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


def _position(wanted: list[str], words: list[str]) -> int | None:
    """Where some words stand in a row among others; 0 where they hold all of them."""
    text, padded = f" {' '.join(words)} ", f" {' '.join(wanted)} "
    at = text.find(padded)
    if at >= 0:
        return text[:at].count(" ")
    inside = padded.find(text)
    return None if inside < 0 else -padded[:inside].count(" ")
