"""What texts are about, as shares of a few domains whose common words are listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from pytest_beir.inspection.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FILE = Path(__file__).with_name("domains.yaml")
_DOCUMENTS_WEIGH = 50  # queries
_FEWEST_WORDS = 20
_WORDS_SHOWN = 8
_FAMILIES = {  # domains that share readers and words; any other is a family of its own
    "computing": "technology",
    "learning": "technology",
    "engineering": "technology",
    "mathematics": "technology",
    "scholarship": "technology",
    "finance": "society",
    "society": "society",
    "entertainment": "culture",
    "places": "culture",
    "language": "culture",
    "everyday": "culture",
}


@cache
def domain_words() -> Mapping[str, str]:
    """{word: domain} of all lists, words as `content_words` gives them."""
    listed: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {word: domain for domain, text in listed.items() for word in content_words(text)}


@dataclass(frozen=True)
class Subject:
    """What texts are about, and what that estimate rests on.

    `shares` maps domains to shares, empty where too few listed words were found to tell. `words`
    are the listed words found most often, `in_queries` of `queries` are the queries that hold
    any, and `in_documents` of `documents` the documents.
    """

    shares: Mapping[str, float]
    words: tuple[str, ...] = ()
    in_queries: int = 0
    queries: int = 0
    in_documents: int = 0
    documents: int = 0


def estimate_subject(queries: Sequence[str], documents: Sequence[str]) -> Subject:
    """The subject of the queries, leaning on the documents where there are few queries.

    Documents weigh as much as fifty queries that hold a domain word. Each text counts a word
    once, so that one long text does not decide.
    """
    asked, telling = _count(queries)
    written, holding = _count(documents)
    known = domain_words()
    # Half the weight each, so that a thousand documents do not hide what the queries say.
    weighed = {
        word: asked[word] / max(1, asked.total()) + written[word] / max(1, written.total())
        for word in asked.keys() | written.keys()
    }
    words = tuple(sorted(weighed, key=lambda word: (-weighed[word], word))[:_WORDS_SHOWN])
    found = Subject({}, words, telling, len(queries), holding, len(documents))
    if asked.total() + written.total() < _FEWEST_WORDS:
        return found
    mixes = [_shares(_by_domain(counts, known)) for counts in (asked, written) if counts]
    if len(mixes) == 1:
        return replace(found, shares=mixes[0])
    weight = telling / (telling + _DOCUMENTS_WEIGH)
    mine, theirs = mixes
    return replace(
        found,
        shares={
            domain: weight * mine.get(domain, 0.0) + (1 - weight) * theirs.get(domain, 0.0)
            for domain in sorted(mine.keys() | theirs.keys())
        },
    )


def _count(texts: Iterable[str]) -> tuple[Counter[str], int]:
    """The texts that hold each domain word, and the texts that hold any."""
    known = domain_words()
    counts: Counter[str] = Counter()
    telling = 0
    for text in texts:
        found = {word for word in content_words(text) if word in known}
        telling += bool(found)
        counts.update(found)
    return counts, telling


def _by_domain(counts: Counter[str], known: Mapping[str, str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for word, count in counts.items():
        found[known[word]] += count
    return dict(found)


def _shares(counts: Mapping[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {domain: count / total for domain, count in sorted(counts.items())}


def domain_distance(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """The distance of two mixes of domains, between 0 (equal) and 1 (disjoint).

    The mean of two Hellinger distances, of the domains and of their families, so that engineering
    is nearer to computing than to sport. None where either mix is unknown.
    """
    if not one or not other:
        return None
    return (_hellinger(one, other) + _hellinger(_families(one), _families(other))) / 2


def _families(shares: Mapping[str, float]) -> dict[str, float]:
    families: dict[str, float] = {}
    for domain, share in shares.items():
        family = _FAMILIES.get(domain, domain)
        families[family] = families.get(family, 0.0) + share
    return families


def _hellinger(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    common = sum(sqrt(one[domain] * other[domain]) for domain in one if domain in other)
    # Divided by the totals, since rounded shares do not add up to 1.
    return sqrt(max(0.0, 1.0 - common / sqrt(sum(one.values()) * sum(other.values()))))
