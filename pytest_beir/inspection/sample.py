"""Samples of a dataset that are the same in every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Document = dict[str, str]

T = TypeVar("T")

DOCUMENTS = 20_000


@dataclass(frozen=True)
class Sample:
    """`spread` are documents from all over the corpus, `documents` these and the judged ones."""

    spread: Mapping[str, Document]
    documents: Mapping[str, Document]


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most `most` items at equal distances; all of them where there are no more."""
    if len(items) <= most:
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]


def take_sample(
    corpus: Mapping[str, Document], judged: Iterable[Iterable[str]], *, most: int = DOCUMENTS
) -> Sample:
    """Take documents from all over the corpus and add the judged ones that it holds."""
    if len(corpus) <= most:
        documents = dict(corpus.items())
        return Sample(documents, documents)
    wanted = spread(list(corpus), most)
    taken = {identifier: corpus[identifier] for identifier in wanted}
    added = {
        identifier: corpus[identifier]
        for ids in judged
        for identifier in ids
        if identifier not in taken and identifier in corpus
    }
    return Sample(taken, taken | added)
