"""What texts are about, as shares of a few domains whose common words are listed."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from pytest_beir.inspection.words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FILE = Path(__file__).with_name("domains.yaml")
_DOCUMENTS_WEIGH = 50  # queries
_FEWEST_WORDS = 20
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
    """Give {word: domain} of all lists, words as `content_words` gives them."""
    listed: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {word: domain for domain, text in listed.items() for word in content_words(text)}


def domain_shares(texts: Iterable[str]) -> dict[str, float]:
    """Give {domain: its share of all domain words in the texts}; {} where there are none.

    Each text counts a word once, so that one long text does not decide.
    """
    return _shares(_count(texts)[0])


def blended_domains(queries: Iterable[str], documents: Iterable[str]) -> dict[str, float]:
    """Give the shares of the queries, leaning on the documents where there are few queries.

    Documents weigh as much as fifty queries that hold a domain word. {} where all of them hold
    too few of these words to tell.
    """
    counts, telling = _count(queries)
    words, _ = _count(documents)
    if sum(counts.values()) + sum(words.values()) < _FEWEST_WORDS:
        return {}
    asked, written = _shares(counts), _shares(words)
    if not asked or not written:
        return asked or written
    weight = telling / (telling + _DOCUMENTS_WEIGH)
    return {
        domain: weight * asked.get(domain, 0.0) + (1 - weight) * written.get(domain, 0.0)
        for domain in sorted(asked.keys() | written.keys())
    }


def _count(texts: Iterable[str]) -> tuple[dict[str, int], int]:
    """Count domain words by domain, and the texts that hold any."""
    known = domain_words()
    counts: dict[str, int] = {}
    telling = 0
    for text in texts:
        found = [known[word] for word in set(content_words(text)) if word in known]
        telling += bool(found)
        for domain in found:
            counts[domain] = counts.get(domain, 0) + 1
    return counts, telling


def _shares(counts: Mapping[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {domain: count / total for domain, count in sorted(counts.items())}


def domain_distance(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Give the distance of two mixes of domains, between 0 (equal) and 1 (disjoint).

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
