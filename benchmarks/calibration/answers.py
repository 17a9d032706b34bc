"""The report's first page: five sentences to quote, each made from what was measured."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.calibration import suites, tolerance
from benchmarks.calibration.monte_carlo import Rate
from benchmarks.calibration.table import percent, table
from pytest_beir.gate.power import FEWEST_QUERIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.calibration import small_sets


@dataclass(frozen=True)
class Verdicts:
    """What was measured of verdicts and flags."""

    tolerance: tolerance.Tolerance
    suites: suites.Suites
    small: small_sets.SmallSets


def answers(results: Verdicts) -> str:
    """A chapter of plain sentences, one a question."""
    lines = "\n".join(f"{number}. {text}" for number, text in enumerate(_answers(results), 1))
    return f"## The answers first\n\n{lines}"


def _answers(results: Verdicts) -> Iterator[str]:
    flagged, found = results.suites.flagged, results.suites.found
    reds = pooled([each.shown["regressed"] for each in flagged])
    yield (
        f"A harmless change turns a suite of {len(suites.QUERIES)} datasets red in {reds} % of its "
        f"runs; the promise is at most 5 %."
    )
    small = next(each for each in found if "points in each" in each.name)
    yield (
        f"A loss of three tenths of a point in every dataset is found in "
        f"{percent(small.any.value)} % of runs, and without the diffuse test in "
        f"{percent(small.before.value)} %."
    )
    worst = max(
        (each for each in results.tolerance.claims if each.n >= FEWEST_QUERIES),
        key=lambda each: each.wrong.value,
    )
    yield (
        f"`within tolerance` is never said below {FEWEST_QUERIES} queries; from there on it is "
        f"wrong about a drop as large as the margin in at most {percent(worst.wrong.value, 1)} % "
        f"of samples of the worst population ({worst.name}, n = {worst.n}), give or take "
        f"{percent(worst.wrong.error, 1)}."
    )
    tiny = next(
        each
        for each in results.small.small
        if (each.n, each.level, each.lost) == (20, "one of 20 tests", 0.2)
    )
    yield (
        f"With 20 queries in such a suite, four queries that are lost altogether fail the test in "
        f"{percent(tiny.regressed.value)} % of runs, and are shown as a likely drop in "
        f"{percent(tiny.likely.value)} %: a small set needs a floor, or more queries."
    )
    strict = pooled([each.strict for each in flagged])
    noisy = results.suites.noisy[-1]
    yield (
        f"`--beir-strict` fails {strict} % of harmless runs, and a second search takes the "
        f"false reds of a noisy retriever from {percent(noisy.once.value, 1)} % of runs to "
        f"{percent(noisy.confirmed.value, 1)} %."
    )


def pooled(rates: Sequence[Rate]) -> Rate:
    """All trials together."""
    return Rate(sum(each.hits for each in rates), sum(each.trials for each in rates))


def tolerance_chapter(found: tolerance.Tolerance) -> Iterator[str]:
    yield f"""## 1. `within tolerance`: how often it is wrong, and what it costs

How often a drop of exactly the margin is called excluded. *Before* is the bound without a query that is lost altogether, said from 30 queries on; *now* the bound in use, whatever the number of queries. Sparse breakage: a few queries lose all they had, others jitter without a direction. At most 5 % may be wrong. The floor is {FEWEST_QUERIES} queries, the most that the rule allows; the columns from there on show what is left."""
    names = list(dict.fromkeys(each.name for each in found.claims))
    for title, pick in (
        ("wrong claims before, %", lambda c: c.wrong_before),
        ("wrong claims now, %", lambda c: c.wrong),
    ):
        yield table(
            (title, *(f"n = {n}" for n in tolerance.QUERIES)),
            [(name, *(pick(c) for c in found.claims if c.name == name)) for name in names],
        )
    yield "What it costs: how often a harmless change of the same kind is `within tolerance`, before and now. Below the floor it is `inconclusive` now, whatever the table says."
    yield table(
        ("claims of a harmless change, before → now, %", *(f"n = {n}" for n in tolerance.QUERIES)),
        [
            (
                name,
                *(
                    f"{percent(c.harmless_before.value)} → {_allowed(c)}"
                    for c in found.claims
                    if c.name == name
                ),
            )
            for name in names
        ],
    )
    yield "*N queries would exclude*: how often so many do, where nothing dropped. Four in five are promised."
    yield table(
        ("kept, %", "queries promised", "kept"),
        [(each.name, f"{each.n:,}", each.kept) for each in found.promises],
    )


def _allowed(claims: tolerance.Claims) -> str:
    return percent(claims.harmless.value) if claims.n >= FEWEST_QUERIES else "0"
