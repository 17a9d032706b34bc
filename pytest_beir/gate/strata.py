"""Scores of several datasets or forums, and what share of the average each has."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

import numpy as np

from pytest_beir.errors import ComparisonError
from pytest_beir.gate.differences import Differences, Scores, difference, pair, unit_numbers

# A member of an average: the scores of one dataset, or those of its forums, which share it evenly.
Member: TypeAlias = Scores | Sequence[Scores]


def by_prefix(
    scores: Mapping[str, float], strata: Sequence[str]
) -> tuple[Mapping[str, float], ...]:
    """Scores of ids like `android/123`, divided by what stands before the first slash.

    Raises:
        ComparisonError: An id is outside the strata, or a stratum has no query.

    """
    parts: dict[str, dict[str, float]] = {stratum: {} for stratum in strata}
    for query, score in scores.items():
        stratum = query.partition("/")[0]
        if stratum not in parts:
            raise ComparisonError(
                f"query {query!r} belongs to none of {', '.join(strata)}: "
                "ids must begin with the name of their part and a slash"
            )
        parts[stratum][query] = score
    empty = [stratum for stratum, part in parts.items() if not part]
    if empty:
        raise ComparisonError(f"no queries of {', '.join(empty)}: all parts are needed, or none")
    return tuple(parts.values())


def mean(members: Sequence[Member], shares: Sequence[Fraction] = ()) -> float:
    """The mean over members of the mean over (parts of the mean over) queries.

    With `shares`, members count for so much instead of alike.

    Raises:
        ComparisonError: There is no member.

    """
    if not members:
        raise ComparisonError("there is nothing to average")
    means = [_plain_mean([_mean(part) for part in _parts(each)]) for each in members]
    if shares:
        return math.fsum(float(share) * each for share, each in zip(shares, means, strict=True))
    return _plain_mean(means)


def _mean(scores: Scores) -> float:
    return _plain_mean(list(scores.values()) if isinstance(scores, Mapping) else list(scores))


def _plain_mean(values: Sequence[float]) -> float:
    if not values:
        raise ComparisonError("there are no queries to average")
    return float(math.fsum(values)) / len(values)


def part_sizes(member: Member, units: Mapping[str, str]) -> list[int]:
    """How many units each part of a member has, copies of a query being one."""
    return [
        len({(query in units, units.get(query, query)) for query in part})
        if units and isinstance(part, Mapping)
        else len(part)
        for part in _parts(member)
    ]


def query_weights(queries: Iterable[str], strata: Sequence[str] = ()) -> dict[str, float]:
    """What one query counts for in the mean: strata weigh alike, and queries within each."""
    queries = list(queries)
    if not strata:
        return dict.fromkeys(queries, 1.0 / len(queries))
    sizes = Counter(query.partition("/")[0] for query in queries)
    return {query: 1.0 / (len(strata) * sizes[query.partition("/")[0]]) for query in queries}


def stratified_difference(
    baselines: Sequence[Member],
    candidates: Sequence[Member],
    *,
    units: Sequence[Mapping[str, str]] = (),
    shares: Sequence[Fraction] = (),
) -> Differences:
    """Differences of all members, queries weighted so that members, then parts, count alike.

    With `shares`, members count for so much instead. `units` gives each member's queries that are
    copies of one another one unit, {query id: unit}.

    Raises:
        ComparisonError: The two sides have other members or parts.

    """
    before = _shares(baselines, shares)
    after = _shares(candidates, shares)
    if [share for _, share, _ in before] != [share for _, share, _ in after]:
        raise ComparisonError("baseline and candidate do not consist of the same members and parts")
    pairs = [pair(old, new) for (old, _, _), (new, _, _) in zip(before, after, strict=True)]
    copies = None
    if any(units):
        copies = [
            unit_numbers(list(part), units[number]) if isinstance(part, Mapping) else None
            for part, _, number in before
        ]
    return difference(pairs, [share for _, share, _ in before], copies)


def _shares(
    members: Sequence[Member], shares: Sequence[Fraction]
) -> list[tuple[Scores, Fraction, int]]:
    """Every part with its share of the mean and the number of its member."""
    if not members:
        raise ComparisonError("there is nothing to average")
    found = []
    for number, member in enumerate(members):
        parts = _parts(member)
        share = shares[number] if shares else Fraction(1, len(members))
        found += [(part, share / len(parts), number) for part in parts]
    return found


def _parts(member: Member) -> Sequence[Scores]:
    is_divided = (
        not isinstance(member, Mapping)
        and len(member) > 0
        and isinstance(member[0], (Mapping, Sequence, np.ndarray))
    )
    return cast("Sequence[Scores]", member) if is_divided else (cast("Scores", member),)
