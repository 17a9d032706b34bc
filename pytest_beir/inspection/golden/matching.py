"""Which document is meant: by a text that it holds, or by an id that is nearly its own."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

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
        reference = without_hop(reference)
        exact = self._exact.get(reference)
        if exact:
            return TextMatch(tuple(exact), "exactly")
        wanted = normal(reference)
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
            for form in {normal(text), normal(f"{title} {text}")}:
                found.setdefault(form, []).append(name)
        return found

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {
            name: f" {normal(f'{title} {text}')} " for name, (title, text) in self.documents.items()
        }


def without_hop(reference: str) -> str:
    """The text without the mark that RAGAS puts before those of a chain."""
    return _HOP.sub("", reference).strip()


def normal(text: str) -> str:
    """Letters and digits in lower case, one blank between words."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"[^\W_]+", folded))


def nearest_ids(unknown: Collection[str], known: Collection[str]) -> dict[str, str]:
    r"""{unknown id: known id} where the two differ in one of the usual ways.

    Another case or `\` for `/`, a missing extension or folder, leading zeros that a spreadsheet
    took away. An id that could be several known ones is left out.
    """
    found: dict[str, str] = {}
    for fold_known, fold_unknown in _FOLDS:
        keys: dict[str, set[str]] = {}
        for identifier in known:
            keys.setdefault(fold_known(identifier.casefold()), set()).add(identifier)
        for identifier in unknown:
            near = keys.get(fold_unknown(_slashed(identifier)), set())
            if len(near) == 1:
                found.setdefault(identifier, next(iter(near)))
    return found


def _slashed(identifier: str) -> str:
    return identifier.replace("\\", "/").removeprefix("./").casefold()


def _same(identifier: str) -> str:
    return identifier


def _without_zeros(identifier: str) -> str:
    return identifier.lstrip("0")


def _without_extension(identifier: str) -> str:
    return str(PurePosixPath(identifier).with_suffix("")) if _name(identifier) else identifier


def _name(identifier: str) -> str:
    return PurePosixPath(identifier).name


def _stem(identifier: str) -> str:
    return PurePosixPath(identifier).stem


# From the smallest difference to the largest: how a known id and an unknown one are compared.
_FOLDS: tuple[tuple[Callable[[str], str], Callable[[str], str]], ...] = (
    (_same, _same),
    (_without_zeros, _without_zeros),
    (_without_extension, _same),
    (_name, _name),
    (_stem, _name),
)
