"""The chapter on false alarms of one test."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calibration import rivals, single_test
from benchmarks.calibration.monte_carlo import LEVELS, Rate
from benchmarks.calibration.table import decimal, level_name, percent, table, titles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PLOT = "calibration"
_UNLIKELY = 0.01


def single_chapter(single: single_test.SingleTest) -> Iterator[str]:
    yield """## 1. False alarms of one test

A harmless change, p alone (`min_effect` would only lower the rates). Each replicate counts for both directions, which are equally likely."""
    names = list(dict.fromkeys(cell.source for cell in single.cells))
    sizes = sorted({cell.n for cell in single.cells})
    for k, level in enumerate(LEVELS):
        rows = [
            (name, *(cell.rates[k] for cell in single.cells if cell.source == name))
            for name in names
        ]
        head = f"level {level_name(level)} = {percent(level, 2)} %"
        yield table((head, *(f"{n:,}" for n in sizes)), rows)
    chances = [
        (cell.rates[k].chance_if(level), cell, level)
        for cell in single.cells
        for k, level in enumerate(LEVELS)
    ]
    chance, cell, level = min(chances, key=lambda each: each[0])
    above = sum(each[0] < _UNLIKELY for each in chances)
    totals = [
        Rate(
            sum(cell.rates[k].hits for cell in single.cells),
            sum(cell.rates[k].trials for cell in single.cells),
            single_test.HALF,
        )
        for k in range(len(LEVELS))
    ]
    adjusted = min(1.0, chance * len(chances))
    word = "within" if adjusted > LEVELS[0] else "beyond"
    yield f"""Of {len(chances)} figures {above} exceed their level so far that an exact test would do so with a chance below {decimal(_UNLIKELY, 2)}; {len(chances) * _UNLIKELY:.1f} are expected where all are exactly nominal. The most extreme one ({cell.source}, n = {cell.n:,}, level {level_name(level)}) has a chance of {chance:.2g}, times {len(chances)} figures {adjusted:.2g}: {word} Monte Carlo error. Over all cells: {", ".join(f"{total} at {level_name(level)}" for total, level in zip(totals, LEVELS, strict=True))}. Where few queries change the lattice of attainable p is coarse and the test stays below its level. {single.checked - single.disagreed:,} of {single.checked:,} replicates, decided a second time by `compare_scores`, gave the same verdict."""
    yield f"![False alarms by number of queries, one panel per level]({_PLOT}/false-alarms.svg)\n\nDashed: nominal. Bars: two standard errors."
    yield """### Changes that are harmless but lopsided

Many small losses, rare big gains, the true mean exactly zero: not interchangeable, and no test promises anything here. Losses are the smaller half of a real pair's magnitudes, gains its largest tenth."""
    rows = [
        (
            f"{cell.source}, n = {cell.n:,}",
            level_name(level),
            *(cell.rates[t][k] for t in cell.rates),
        )
        for cell in single.skewed
        for k, level in enumerate(LEVELS)
    ]
    yield table(("false alarms, %", "level", *titles(single.skewed[0].rates)), rows)
    first = [cell for cell in single.skewed if cell.n == single_test.SKEWED_QUERIES[0]]
    last = [cell for cell in single.skewed if cell.n == single_test.SKEWED_QUERIES[-1]]
    excess = max(cell.rates["gate"][-1].value for cell in single.skewed) / LEVELS[-1]
    yield f"""With few queries the gate exceeds its level here, and so do the others: {_rates(first)} at .05 with n = {first[0].n}, {_rates(last)} with n = {last[0].n:,}. At {level_name(LEVELS[-1])} it reaches up to {excess:.1f} times its level. A sample that happens to hold none of the rare gains shows nothing but losses, and no test can know of what it did not see. The gate is nowhere above either of its two parts. It is why the counts of worse and better queries and the share of the three largest losers stand beside every verdict."""
    yield f"""### Other tools on the same harmless changes

`scipy.stats.bootstrap` with its {rivals.RESAMPLES:,} resamples, one-sided interval below zero; *bootstrap* is the percentile bootstrap at infinitely many. scipy's were asked on a part of the replicates, with {single_test.SLOW_QUERIES} queries (–: not asked)."""
    rows = [
        (
            f"{cell.source}, n = {cell.n:,}",
            level_name(level),
            *(cell.by_level[name][k] for name in cell.by_level),
        )
        for cell in single.rivals
        for k, level in enumerate(LEVELS)
    ]
    yield table(("false alarms, %", "level", *titles(single.rivals[0].by_level)), rows)
    rows = [(f"{cell.source}, n = {cell.n:,}", *cell.own_rule.values()) for cell in single.rivals]
    yield table(("false alarms, %", *single.rivals[0].own_rule), rows)
    yield _about_ranx()


def _rates(cells: Sequence[single_test.SkewedCell]) -> str:
    return " and ".join(str(cell.rates["gate"][0]) for cell in cells)


def _about_ranx() -> str:
    version = rivals.ranx_version()
    source = (
        f"the test that `ranx.compare` (version {version}) applies to scores per query, called directly"
        if version
        else "ranx was not installed: its documented default, the paired t-test, stands in"
    )
    return f"""*ranx compare*: {source}, with its defaults (two-sided, p ≤ {decimal(rivals.RANX_LEVEL, 2)}: {percent(rivals.RANX_LEVEL / 2, 1)} % per direction is nominal); it counts as an alarm where the candidate is the lower one. Its Fisher test draws 1,000 permutations. It reports significance and fails nothing by itself. *threshold .01*: fails where the mean is lower by .01 or more."""
