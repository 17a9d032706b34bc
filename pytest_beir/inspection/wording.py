"""Traits of two datasets in plain words: the user's first, the catalogue's dataset second."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SUBJECTS = {
    "medicine": "medicine and biology",
    "computing": "computing",
    "learning": "machine learning",
    "engineering": "engineering and physics",
    "mathematics": "mathematics and statistics",
    "scholarship": "scholarly work",
    "finance": "money and business",
    "society": "politics and society",
    "entertainment": "entertainment and sport",
    "places": "places and history",
    "climate": "climate and weather",
    "everyday": "everyday life",
    "language": "language",
}
_LEADS = 0.3  # a subject of this share stands for the whole
_PART = 0.15
_HARDLY = 0.05
_MILLION = 1_000_000


def subjects(mine: Mapping[str, float], its: Mapping[str, float], *, differ: bool) -> str:
    """`about medicine and biology, as it is`, or both subjects.

    `differ`: the mixes do, though the same words may name them.
    """
    here, there = about(mine), about(its)
    if here != there:
        return f"about {here} against its {there}"
    return f"about {here}, in another mix than there" if differ else f"about {here}, as it is"


def about(domains: Mapping[str, float]) -> str:
    """Name the one or two subjects that lead a mix, `mixed subjects` where none does."""
    if not domains:
        return "no clear subject"
    ordered = sorted(domains, key=lambda domain: (-domains[domain], domain))
    if domains[ordered[0]] < _LEADS:
        return "mixed subjects"
    named = [_SUBJECTS[domain] for domain in ordered[:2] if domains[domain] >= _PART]
    return ", ".join(named)


def lengths(what: str, mine: float, its: float) -> str:
    """`queries of 12 words against its 12.5`."""
    return f"{what} of {number(mine)} words against its {number(its)}"


def relevant(mine: float, its: float) -> str:
    """`1.1 relevant documents a query against its 1.1`."""
    noun = "document" if number(mine) == "1" else "documents"
    return f"{number(mine)} relevant {noun} a query against its {number(its)}"


def asking(mine: float, its: float) -> str:
    """`80% of the queries are questions against its 90%`, or what both have in common."""
    if max(mine, its) <= _HARDLY:
        return "queries are statements or keywords, as there"
    if min(mine, its) >= 1 - _HARDLY:
        return "queries are questions, as there"
    return f"{percent(mine)} of the queries are questions against its {percent(its)}"


def codes(mine: float, its: float) -> str:
    """`12% of the query words are codes or acronyms against its 16%`, or what both lack."""
    if max(mine, its) <= _HARDLY:
        return "hardly any codes or acronyms in queries, as there"
    return f"{percent(mine)} of the query words are codes or acronyms against its {percent(its)}"


def bm25(mine: float, its: float) -> str:
    """`BM25 alone reaches nDCG@10 .56 against its published .68`."""
    return f"BM25 alone reaches nDCG@10 {share(mine)} against its published {share(its)}"


def overlap(mine: float, its: float) -> str:
    """`63% of a query's words stand in its relevant documents against its 60%`."""
    return (
        f"{percent(mine)} of a query's words stand in its relevant documents against its"
        f" {percent(its)}"
    )


def grades(mine: bool, its: bool) -> str:
    """`several grades of relevance, as there`, or who has how many."""
    named = {True: "several grades of relevance", False: "one grade of relevance"}
    return f"{named[mine]}, as there" if mine == its else f"{named[mine]} against its {_few(its)}"


def sizes(mine: int, its: int) -> str:
    """`5,183 documents against its 5.4 million`."""
    return f"{count(mine)} documents against its {count(its)}"


def number(value: float) -> str:
    """Three figures at most: 1.1, 12.5, 214."""
    return f"{value:,.0f}" if value >= 99.5 else f"{value:.1f}".removesuffix(".0")  # noqa: PLR2004


def percent(value: float) -> str:
    """Whole percents."""
    return f"{value:.0%}"


def share(value: float) -> str:
    """A score as `.56`."""
    return f"{value:.2f}".removeprefix("0")


def count(value: int) -> str:
    """Whole numbers, millions as such."""
    return f"{value / _MILLION:.1f} million" if value >= _MILLION else f"{value:,}"


def _few(is_graded: bool) -> str:
    return "several" if is_graded else "one"
