"""The report's first page: five sentences to quote, each made from what was measured."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calibration import small_sets, suites, tolerance
from benchmarks.calibration.monte_carlo import Rate
from benchmarks.calibration.table import percent, table
from pytest_beir.gate.power import FEWEST_QUERIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.calibration.results import Results


def answers(results: Results) -> str:
    """A chapter of plain sentences, one a question."""
    lines = "\n".join(f"{number}. {text}" for number, text in enumerate(_answers(results), 1))
    return f"## The answers first\n\n{lines}"


def _answers(results: Results) -> Iterator[str]:
    reds = pooled([each.shown["regressed"] for each in results.sessions])
    yield (
        f"A harmless change turns a suite of {len(suites.QUERIES)} datasets red in {reds} % of its "
        f"runs; the promise is at most {percent(suites.FAMILY.alpha)} %."
    )
    small = next(each for each in results.suites.found if "points in each" in each.name)
    yield (
        f"A loss of {100 * suites.DIFFUSE_LOSS:.1f} points in every dataset is found in "
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
        f"{percent(worst.wrong.error, 1)}; at most {percent(tolerance.LOWER)} % are promised."
    )
    tiny = next(
        each
        for each in results.small.small
        if (each.n, each.level, each.lost)
        == (small_sets.QUERIES[0], [*small_sets.LEVELS][-1], small_sets.LOST[-1])
    )
    yield (
        f"With {tiny.n} queries in such a suite, {tiny.n * tiny.lost:.0f} queries that are lost "
        f"altogether fail the test in {percent(tiny.regressed.value)} % of runs, and are shown as a likely drop in "
        f"{percent(tiny.likely.value)} %: a small set needs a floor, or more queries."
    )
    strict = pooled([each.strict for each in results.sessions])
    worst_kind = max(results.sessions, key=lambda each: each.strict.value)
    noisy = results.suites.noisy[-1]
    yield (
        f"`--beir-strict` fails {strict} % of harmless runs, {worst_kind.strict} % of those of the "
        f"worst kind of change ({worst_kind.source}), and a second search takes the "
        f"false reds of a noisy retriever from {percent(noisy.once.value, 1)} % of runs to "
        f"{percent(noisy.confirmed.value, 1)} %."
    )


def pooled(rates: Sequence[Rate]) -> Rate:
    """All trials together."""
    return Rate(sum(each.hits for each in rates), sum(each.trials for each in rates))


def tolerance_chapter(found: tolerance.Tolerance) -> Iterator[str]:
    yield f"""## 1. `within tolerance`: how often it is wrong, and what it costs

How often a drop of exactly the margin is called excluded. *Before* is the bound without a query that is lost altogether; *now* the bound in use, both whatever the number of queries. Sparse breakage: a few queries lose all they had, others jitter without a direction. At most {percent(tolerance.LOWER)} % may be wrong. The claim takes {FEWEST_QUERIES} queries, so the columns from there on are those that count."""
    names = list(dict.fromkeys(each.name for each in found.claims))
    for title, pick in (
        ("wrong claims before, %", lambda c: c.wrong_before),
        ("wrong claims now, %", lambda c: c.wrong),
    ):
        yield table(
            (title, *(f"n = {n}" for n in tolerance.QUERIES)),
            [(name, *(pick(c) for c in found.claims if c.name == name)) for name in names],
        )
    yield f"What it costs: how often a harmless change of the same kind is `within tolerance`, before and now. With fewer than {FEWEST_QUERIES} queries it is `inconclusive` now, hence the 0."
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
    yield from _promises(found)


def _promises(found: tolerance.Tolerance) -> Iterator[str]:
    yield f"""### What `power` and the summary promise

*N queries would exclude a drop of the margin*: how often so many do, where nothing dropped. Four in five are promised. `power` reckons with the deviation of a kind of change. The summary has only what it saw, here {tolerance.SAMPLE} queries at a time, each promising a number of its own; few queries tell a deviation badly, which the number allows for."""
    yield table(
        (
            "kept, %",
            "queries promised by the deviation",
            "kept",
            "median promised by samples",
            "kept",
        ),
        [
            (each.name, f"{each.n:,}", each.kept, f"{each.typical:,}", each.kept_by_samples)
            for each in found.promises
        ],
    )
    yield "*The smallest drop that is found four times in five*: how often it is `regressed`, by p and `min_effect`."
    yield table(
        ("found, %", "queries", "drop in points", "found"),
        [
            (f"{each.name}, {each.level}", f"{each.n:,}", percent(each.mde, 1), each.found)
            for each in found.detected
        ],
    )


def _allowed(claims: tolerance.Claims) -> str:
    return percent(claims.harmless.value) if claims.n >= FEWEST_QUERIES else "0"
