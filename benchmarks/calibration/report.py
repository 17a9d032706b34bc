"""The report: its introduction, the chapter on power, and the other chapters in their order."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calibration import power, single_test
from benchmarks.calibration.alarms_chapter import single_chapter
from benchmarks.calibration.answers import answers, tolerance_chapter
from benchmarks.calibration.baselines_chapter import pools_chapter, releases_chapter
from benchmarks.calibration.monte_carlo import SEED
from benchmarks.calibration.pairs import Pair
from benchmarks.calibration.suites_chapter import small_chapter, suites_chapter
from benchmarks.calibration.table import decimal, level_name, percent, table, titles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.calibration.pairs import Pairs
    from benchmarks.calibration.results import Results

_PLOT = "calibration"


def render_verdicts(results: Results) -> str:
    """The page on the gate's verdicts and flags, its answers first."""
    parts = [
        "# How the gate was calibrated",
        answers(results),
        _VERDICTS_INTRODUCTION,
        *tolerance_chapter(results.tolerance),
        *suites_chapter(results.sessions, results.suites),
        *small_chapter(results.small),
    ]
    return "\n\n".join(parts) + "\n"


def render_test(pairs: Pairs, results: Results) -> str:
    """The page on the test, and on baselines over time."""
    parts = [
        "# The test beside other tests",
        _introduction(pairs),
        *single_chapter(results.single),
        *_power(results.power),
        *releases_chapter(results.histories),
        *pools_chapter(results.pools),
    ]
    return "\n\n".join(parts) + "\n"


_VERDICTS_INTRODUCTION = f"""## What was measured

Written by `python -m benchmarks.calibration`, all of it, in less than a quarter of an hour on one core: seeds are fixed (root {SEED}), nothing is edited by hand. A rate is in per cent, with one Monte Carlo standard error behind the ±. What the words mean stands in [Reading the summary](reading-the-summary.md). How the changes are drawn from real pairs of systems, how the test compares with other tests, and how baselines behave over time is on a page of its own, written by the same command: [The test beside other tests](calibration-test.md)."""


def _introduction(pairs: Pairs) -> str:
    kinds = [
        pair for pair in (*single_test.sources(pairs), pairs.parameter) if isinstance(pair, Pair)
    ]
    rows = [
        (p.name, percent(p.share), decimal(p.sd), decimal(p.mean, 2), decimal(p.reach))
        for p in sorted(kinds, key=lambda p: p.sd)
    ]
    return f"""## What was measured

Written by `python -m benchmarks.calibration`, all of it: seeds are fixed (root {SEED}), nothing is edited by hand. `--quick` takes a minute and writes elsewhere. What the words mean stands in [Reading the summary](reading-the-summary.md).

A rate is in per cent, with one Monte Carlo standard error behind the ±. All p are one-sided, for a drop. The gate's own code decides; where moments alone prove that the sign-flip p exceeds .05 the exact test is skipped, which changes no decision.

The material is real: scores per query of twelve systems on two collections (SciFact, SciDocs), and five submitted runs on the hundred topics of the TREC 2003 robust track. A *harmless* change draws queries with replacement from a pair of systems and gives each difference a fair random sign: two versions that are interchangeable. A *drop* uses an unfair coin, so that each magnitude is a real one and the true mean is exactly what is asked for.

{table(("pair", "queries changed, %", "sd of a query", "mean score", "largest drop it can make"), rows)}

*5 to 12 queries* takes so many differences from the pair with 8 % changed, whatever n is; *recall* moves by whole relevant documents, so that most differences are ±1."""


def _power(cells: Sequence[power.Cell]) -> Iterator[str]:
    yield """## 2. What is found of a real drop

The share of drops found (`regressed`, so with `min_effect`); the other three by p alone, all on the same replicates. No pair is asked for more than it can lose and keep its magnitudes."""
    rows = [
        (
            f"{cell.source}, −{percent(cell.loss)} pt, n = {cell.n:,}",
            *(cell.by_level[test][k] for k in range(len(power.LEVELS)) for test in power.TESTS),
        )
        for cell in cells
    ]
    head = [
        f"{title} {level_name(level)}" for level in power.LEVELS for title in titles(power.TESTS)
    ]
    yield table(("drops found, %", *head), rows)
    yield f"![Drops found, by number of queries]({_PLOT}/power.svg)\n\nThe pair *analyser*. Dotted: tools with a rule of their own."
    costs = [cell.by_level["bootstrap"][0].value - cell.by_level["gate"][0].value for cell in cells]
    small = [cost for cost, cell in zip(costs, cells, strict=True) if cell.n == power.QUERIES[0]]
    large = [cost for cost, cell in zip(costs, cells, strict=True) if cell.n > power.QUERIES[1]]
    parts = [cell.by_level["sign-flip"][0].value - cell.by_level["gate"][0].value for cell in cells]
    yield f"""What the second test costs at .05, against the percentile bootstrap alone: {percent(sum(small) / len(small), 1)} points of power on average at n = {power.QUERIES[0]} (where that one exceeds its level, see above), {percent(sum(large) / len(large), 1)} at n = {power.QUERIES[2]:,} and above. Against sign-flip alone the pair, with `min_effect`, costs {percent(sum(parts) / len(parts), 1)} points over all rows."""
    yield """### Other tools on the same drops

To be read beside the false alarms of section 1 and of [sessions](calibration.md): what finds a small drop at few queries also fails harmless changes."""
    rows = [
        (
            f"{cell.source}, −{percent(cell.loss)} pt, n = {cell.n:,}",
            *(cell.by_level["gate"][k] for k in range(len(power.LEVELS))),
            *cell.own_rule.values(),
        )
        for cell in cells
    ]
    names = [f"gate {level_name(level)}" for level in power.LEVELS]
    yield table(("drops found, %", *names, *cells[0].own_rule), rows)
