"""How like a user's data each dataset of the catalogue is, and why.

The distance is a weighted mean of the traits' distances, each between 0 (equal) and 1, over the
traits that are known of both. Lengths and counts are compared by their ratio, since twice as long
means the same at any length; shares by their difference. The weights say what decides how a
retriever behaves: the subject and the lengths first, the size of the corpus least.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import BeirError
from pytest_beir.inspection import wording
from pytest_beir.inspection.domains import domain_distance
from pytest_beir.inspection.profile import profile_dataset
from pytest_beir.inspection.shapes import load_shapes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from pytest_beir.inspection.profile import Profile
    from pytest_beir.inspection.shapes import Shape

_ALIKE = 0.2
_ALIKE_SUBJECTS = 0.4  # mixes of subjects are never equal
_UNLIKE = 0.45
_SHOWN = 3  # datasets of a suite that resemble the user's own


@dataclass(frozen=True)
class Trait:
    """One respect in which two datasets are compared: how far apart they are, and in words."""

    name: str
    weight: float
    distance: float
    sentence: str
    near: float = _ALIKE

    @property
    def is_alike(self) -> bool:
        """Whether the two agree in it."""
        return self.distance <= self.near

    @property
    def is_unlike(self) -> bool:
        """Whether the two clearly differ in it."""
        return self.distance >= _UNLIKE


@dataclass(frozen=True)
class Match:
    """A dataset of the catalogue beside the user's: 0 is equal, 1 as different as can be."""

    name: str
    distance: float
    traits: tuple[Trait, ...]

    @property
    def alike(self) -> tuple[Trait, ...]:
        """Where the two agree, what weighs most first."""
        return tuple(sorted((t for t in self.traits if t.is_alike), key=lambda t: -t.weight))

    @property
    def unlike(self) -> tuple[Trait, ...]:
        """Where the two clearly differ, what separates them most first."""
        found = (t for t in self.traits if t.is_unlike)
        return tuple(sorted(found, key=lambda t: -t.weight * t.distance))

    @property
    def reasons(self) -> tuple[str, ...]:
        """A sentence for each trait: likenesses, what lies between, differences (`but ...`)."""
        between = (t for t in self.traits if not (t.is_alike or t.is_unlike))
        return (
            *(trait.sentence for trait in self.alike),
            *(trait.sentence for trait in between),
            *(f"but {trait.sentence}" for trait in self.unlike),
        )


def match_datasets(profile: Profile) -> tuple[Match, ...]:
    """Rank the catalogue's datasets by likeness to a profile, the nearest first."""
    matches = (compare_shape(profile, shape) for shape in load_shapes())
    return tuple(sorted(matches, key=lambda match: (match.distance, match.name)))


def resembling(profile: Path, suite: Collection[str], cache: Path | None) -> tuple[str, ...]:
    """Up to three datasets of the suite whose shape is nearest to the folder's, nearest first.

    Empty where none of the catalogue's shapes is in the suite, or the folder cannot be read: the
    summary of a run does not fail over advice.
    """
    try:
        matches = match_datasets(profile_dataset(load_dataset(profile, cache_dir=cache)))
    except BeirError:
        return ()
    return tuple(match.name for match in matches if match.name in suite)[:_SHOWN]


def compare_shape(profile: Profile, shape: Shape) -> Match:
    """Compare a profile with one dataset of the catalogue."""
    traits = tuple(_traits(profile, shape))
    weights = sum(trait.weight for trait in traits)
    distance = sum(trait.weight * trait.distance for trait in traits) / weights
    return Match(shape.name, round(distance, 4), traits)


def _traits(mine: Profile, its: Shape) -> Iterator[Trait]:
    subjects = domain_distance(mine.domains, its.domains)
    if subjects is not None:
        differ = subjects > _ALIKE_SUBJECTS
        sentence = wording.subjects(mine.domains, its.domains, differ=differ)
        yield Trait("subject", 4, subjects, sentence, near=_ALIKE_SUBJECTS)
    if its.query_words:
        yield Trait(
            "query length",
            2,
            _ratio(mine.query_words, its.query_words, widest=8),
            wording.lengths("queries", mine.query_words, its.query_words),
        )
    if its.document_words:
        yield Trait(
            "document length",
            2,
            _ratio(mine.document_words, its.document_words, widest=8),
            wording.lengths("documents", mine.document_words, its.document_words),
        )
    if its.relevant:
        yield Trait(
            "relevant documents",
            1,
            _ratio(mine.relevant, its.relevant, widest=32),
            wording.relevant(mine.relevant, its.relevant),
        )
    yield Trait(
        "questions", 1, abs(mine.asking - its.asking), wording.asking(mine.asking, its.asking)
    )
    yield Trait(
        "codes",
        1,
        min(1.0, abs(mine.query_codes - its.query_codes) / 0.2),
        wording.codes(mine.query_codes, its.query_codes),
    )
    # Another BM25 on the whole corpus: comparable only roughly.
    yield Trait(
        "BM25", 0.5, min(1.0, abs(mine.bm25 - its.bm25) / 0.5), wording.bm25(mine.bm25, its.bm25)
    )
    if its.overlap is not None:
        yield Trait(
            "shared words",
            1,
            min(1.0, abs(mine.overlap - its.overlap) / 0.5),
            wording.overlap(mine.overlap, its.overlap),
        )
    if its.is_graded is not None:
        is_graded = sum(grade > 0 for grade in mine.grades) > 1
        yield Trait(
            "grades",
            0.5,
            float(is_graded != its.is_graded),
            wording.grades(is_graded, its.is_graded),
        )
    yield Trait(
        "corpus size",
        0.5,
        _ratio(mine.documents, its.documents, widest=10_000),
        wording.sizes(mine.documents, its.documents),
    )


def _ratio(one: float, other: float, *, widest: float) -> float:
    """0 for equal numbers and 1 where one is `widest` times the other, or beyond."""
    if one <= 0 or other <= 0:
        return float(one != other)
    return min(1.0, abs(log2(one / other)) / log2(widest))
