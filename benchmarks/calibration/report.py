"""The report: prose around tables, every figure taken from the run."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.calibration import pools, power, releases, rivals, session, single_test
from benchmarks.calibration.monte_carlo import LEVELS, SEED, Rate
from benchmarks.calibration.pairs import Pair
from benchmarks.calibration.table import decimal, level_name, percent, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.calibration.pairs import Pairs

_UNLIKELY = 0.01
_PLOT = "calibration"
_COMPANY = ("alone", "and one other", "and two others", "and three others")


@dataclass(frozen=True)
class Results:
    """All that was measured."""

    single: single_test.SingleTest
    sessions: tuple[session.Sessions, ...]
    power: tuple[power.Cell, ...]
    histories: releases.Histories
    pools: pools.Pools


def render(pairs: Pairs, results: Results) -> str:
    parts = [
        _introduction(pairs),
        *_single(results.single),
        *_sessions(results.sessions),
        *_power(results.power),
        *_releases(results.histories),
        *_pools(results.pools),
    ]
    return "\n\n".join(parts) + "\n"


def _introduction(pairs: Pairs) -> str:
    kinds = [
        pair for pair in (*single_test.sources(pairs), pairs.parameter) if isinstance(pair, Pair)
    ]
    rows = [
        (p.name, percent(p.share), decimal(p.sd), decimal(p.mean, 2), decimal(p.reach))
        for p in sorted(kinds, key=lambda p: p.sd)
    ]
    return f"""# How the gate was calibrated

Written by `python -m benchmarks.calibration`, all of it: seeds are fixed (root {SEED}), nothing is edited by hand. It takes a quarter of an hour on one core; `--quick` takes a minute and writes elsewhere. What the words mean stands in [Reading the summary](reading-the-summary.md).

A rate is in per cent, with one Monte Carlo standard error behind the ±. All p are one-sided, for a drop. The gate's own code decides; where moments alone prove that the sign-flip p exceeds .05 the exact test is skipped, which changes no decision.

The material is real: scores per query of twelve systems on two collections (SciFact, SciDocs), and five submitted runs on the hundred topics of the TREC 2003 robust track. A *harmless* change draws queries with replacement from a pair of systems and gives each difference a fair random sign: two versions that are interchangeable. A *drop* uses an unfair coin, so that each magnitude is a real one and the true mean is exactly what is asked for.

{table(("pair", "queries changed, %", "sd of a query", "mean score", "largest drop it can make"), rows)}

*5 to 12 queries* takes so many differences from the pair with 8 % changed, whatever n is; *recall* moves by whole relevant documents, so that most differences are ±1."""


def _single(single: single_test.SingleTest) -> Iterator[str]:
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
    yield table(("false alarms, %", "level", *_titles(single.skewed[0].rates)), rows)
    first = [cell for cell in single.skewed if cell.n == single_test.SKEWED_QUERIES[0]]
    last = [cell for cell in single.skewed if cell.n == single_test.SKEWED_QUERIES[-1]]
    excess = max(cell.rates["gate"][-1].value for cell in single.skewed) / LEVELS[-1]
    yield f"""With few queries the gate exceeds its level here, and so do the others: {_rates(first)} at .05 with n = {first[0].n}, {_rates(last)} with n = {last[0].n:,}. At {level_name(LEVELS[-1])} it reaches up to {excess:.1f} times its level. A sample that happens to hold none of the rare gains shows nothing but losses, and no test can know of what it did not see. The gate is nowhere above either of its two parts. It is why the counts of worse and better queries and the share of the three largest losers stand beside every verdict."""
    yield f"""### Other tools on the same harmless changes

`scipy.stats.bootstrap` with its {rivals.RESAMPLES:,} resamples, one-sided interval below zero; *bootstrap* is the percentile bootstrap at infinitely many. scipy's were asked on the first part of the replicates."""
    rows = [
        (
            f"{cell.source}, n = {cell.n:,}",
            level_name(level),
            *(cell.by_level[name][k] for name in cell.by_level),
        )
        for cell in single.rivals
        for k, level in enumerate(LEVELS)
    ]
    yield table(("false alarms, %", "level", *_titles(single.rivals[0].by_level)), rows)
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


def _titles(names: object) -> list[str]:
    titles = {"bootstrap": "bootstrap alone", "sign-flip": "sign-flip alone", "t": "t-test"}
    return [titles.get(name, name) for name in names]  # type: ignore[attr-defined]


def _sessions(sessions: Sequence[session.Sessions]) -> Iterator[str]:
    yield f"""## 2. False alarms of a session

Eighteen datasets with the query counts of the real ones ({min(session.QUERIES.values())} to {max(session.QUERIES.values()):,}) and their average: {session.FAMILY.tests} tests, each at .05/{session.FAMILY.tests}. One kind of harmless change touches all of them. The promise is at most 5 % for the session; *regressed* also asks for `min_effect`."""
    rows = [
        (
            f"{s.source} (sd {decimal(s.sd, 2)})",
            s.tested,
            s.verdict,
            s.average,
            s.uncorrected,
            s.uncorrected_verdict,
            s.threshold,
        )
        for s in sessions
    ]
    yield table(
        (
            "sessions that fail, %",
            "family, p alone",
            "family, regressed",
            "of these the average",
            "each at .05, p alone",
            "each at .05, regressed",
            "threshold .01",
        ),
        rows,
    )
    trials = sum(s.tested.trials for s in sessions)
    pooled = Rate(sum(s.tested.hits for s in sessions), trials)
    verdict = Rate(sum(s.verdict.hits for s in sessions), trials)
    loose = Rate(sum(s.uncorrected.hits for s in sessions), trials)
    worst = max(sessions, key=lambda s: s.tested.value)
    yield f"""Over all {trials:,} sessions: {pooled} for p alone and {verdict} for the verdict, against {loose} uncorrected. The highest, {worst.source} with {worst.tested}, would be reached or passed with a chance of {worst.tested.chance_if(0.05):.2g} at exactly 5 %."""
    yield f"![Sessions that fail a harmless change]({_PLOT}/sessions.svg)"


def _power(cells: Sequence[power.Cell]) -> Iterator[str]:
    yield """## 3. What is found of a real drop

The share of drops found (`regressed`, so with `min_effect`); the other three by p alone, all on the same replicates. *parameter* cannot lose three points and keep its magnitudes."""
    rows = [
        (
            f"{cell.source}, −{percent(cell.loss)} pt, n = {cell.n:,}",
            *(cell.by_level[test][k] for k in range(len(power.LEVELS)) for test in power.TESTS),
        )
        for cell in cells
    ]
    head = [
        f"{title} {level_name(level)}" for level in power.LEVELS for title in _titles(power.TESTS)
    ]
    yield table(("drops found, %", *head), rows)
    yield f"![Drops found, by number of queries]({_PLOT}/power.svg)\n\nThe pair *analyser*. Dotted: tools with a rule of their own."
    costs = [cell.by_level["bootstrap"][0].value - cell.by_level["gate"][0].value for cell in cells]
    small = [cost for cost, cell in zip(costs, cells, strict=True) if cell.n == power.QUERIES[0]]
    large = [cost for cost, cell in zip(costs, cells, strict=True) if cell.n > power.QUERIES[1]]
    parts = [cell.by_level["sign-flip"][0].value - cell.by_level["gate"][0].value for cell in cells]
    yield f"""What the second test costs at .05, against the percentile bootstrap alone: {percent(sum(small) / len(small), 1)} points of power on average at n = {power.QUERIES[0]} (where that one exceeds its level, see above), {percent(sum(large) / len(large), 1)} at n = {power.QUERIES[2]:,} and above. Against sign-flip alone the pair, with `min_effect`, costs {percent(sum(parts) / len(parts), 1)} points over all rows."""
    yield """### Other tools on the same drops

To be read beside the false alarms of sections 1 and 2: what finds a small drop at few queries also fails harmless changes."""
    beside = [cell for cell in cells if cell.n in power.SCIPY_QUERIES]
    rows = [
        (
            f"{cell.source}, −{percent(cell.loss)} pt, n = {cell.n:,}",
            cell.by_level["gate"][0],
            cell.by_level["scipy percentile"][0],
            cell.by_level["scipy BCa"][0],
            cell.by_level["gate"][1],
            cell.by_level["scipy percentile"][1],
            cell.by_level["scipy BCa"][1],
            *cell.own_rule.values(),
        )
        for cell in beside
    ]
    tools = ("gate", "scipy percentile", "scipy BCa")
    names = [f"{tool} {level_name(level)}" for level in power.LEVELS for tool in tools]
    yield table(("drops found, %", *names, *beside[0].own_rule), rows)


def _releases(histories: releases.Histories) -> Iterator[str]:
    yield f"""## 4. Baselines over time

One dataset of a suite of {len(session.QUERIES)} (level .05/{session.FAMILY.tests}). *Update table*: two vectors, the maintainer writes after each passing release what `--beir-update --beir-accept=neutral` allows. *Previous only*: against the release before. *One fixed vector*: against the first for ever. *High-water*: against the highest mean so far.

### {releases.RELEASES} releases, each −{percent(releases.DECLINE, 1)} points, and {releases.RELEASES} that change nothing

Each release changes a query's score as the pair *parameter* does, independently of the releases before. Shown is the share of histories in which some release failed: wanted above, unwanted below."""
    names = list(histories.declines[0].caught)
    rows = [
        (
            f"{'−' + percent(d.loss, 1) if d.loss else 'no change'}, n = {d.n:,}",
            *(d.caught[name][-1] for name in names),
        )
        for d in histories.declines
    ]
    yield table((f"failed within {releases.RELEASES} releases, %", *names), rows)
    yield f"![Share of histories that have failed by each release]({_PLOT}/releases.svg)\n\nSolid: −{percent(releases.DECLINE, 1)} points each. Dotted: no change."
    yield """The update table finds a slow decline as one fixed vector does, which *previous only* lets pass. *High-water* finds a little more, with more failures of nothing: the highest mean so far is a lucky one."""
    yield f"""### A neutral change of model, then a real drop of {percent(releases.LATER_DROP, 1)} points

The model changes as the pair *system* does, harmlessly; the next release loses {percent(releases.LATER_DROP, 1)} points as *parameter* does. *Neutral accepted*: as above. *The model accepted*: its maintainer also accepts that one release with a reason (`--beir-accept=dropped`), which rebases both vectors."""
    names = list(histories.models[0].failed)
    rows = []
    for model in histories.models:
        for name in names:
            rebased = model.rebased.get(name)
            rows.append(
                (
                    f"n = {model.n:,}, {name}",
                    model.failed[name],
                    "" if rebased is None else rebased,
                    model.found[name],
                )
            )
    yield table(
        ("%", "the model fails (unwanted)", "current vector rebased", "later drop found"), rows
    )
    yield """*Neutral* may be written only where a drop of the margin is excluded, and so it depends on the number of queries: with few of them a change of model stays inconclusive, the old vector stays, and it hides the later drop as a fixed one does. Accepting the model with a reason is what helps; then the drop is found as by a gate on the previous release."""


def _pools(found: pools.Pools) -> Iterator[str]:
    cases = found.found
    yield f"""## 5. Unjudged documents: what `pool-suspect` is worth

Shallow pools cut from deep judgements. A pool holds the top 5, 10 or 20 of the baseline and of none to three other systems, never of the candidate; what it does not hold counts as unjudged. Candidates are the other systems, as submitted and *thinned* (each document vanishes with a chance of {percent(pools.THINNED[1])} or {percent(pools.THINNED[-1])} %: a system gone worse). Of {found.tried:,} combinations {len(cases.cases):,} fail on the pool at {level_name(pools.LEVEL)}. Against full judgements such a drop is *genuine* if it fails there too, *spurious* if the mean falls by less than `min_effect`, and *between* otherwise. Errors are jackknifed over pairs of systems, since cases of one pair are kin; there are few pairs, so they are rough (? where all are of one pair)."""
    deep = cases.where(lambda c: not c.is_short)
    selections: list[tuple[str, pools.Cases]] = [
        ("as submitted, at least 100 documents", deep.where(lambda c: c.thinned == 0.0)),
        ("thinned, at least 100 documents", deep.where(lambda c: c.thinned > 0.0)),
        ("one of the two answers a dozen documents only", cases.where(lambda c: c.is_short)),
        *(
            (
                f"pool of the baseline {_COMPANY[k]}",
                deep.where(lambda c, k=k: c.others == k),
            )
            for k in pools.OTHERS
        ),
        *((f"pool of depth {d}", deep.where(lambda c, d=d: c.depth == d)) for d in pools.DEPTHS),
        ("all", cases),
    ]
    rows = [
        (
            name,
            f"{s.count('spurious')} / {s.count('between')} / {s.count('genuine')}",
            s.flagged("spurious"),
            s.flagged("between"),
            s.flagged("genuine"),
            s.unflagged("genuine"),
            s.unflagged("genuine", "between"),
            decimal(s.slope, 2),
        )
        for name, s in selections
        if s.cases
    ]
    yield table(
        (
            "drops that fail on the pool",
            "spurious / between / genuine",
            "spurious flagged, %",
            "between flagged, %",
            "genuine flagged, %",
            "unflagged: genuine, %",
            "unflagged: not spurious, %",
            "artefact / fall of judged@10",
        ),
        rows,
    )
    submitted = selections[0][1]
    by_depth = [deep.where(lambda c, d=d: c.depth == d).slope for d in pools.DEPTHS]
    yield f"""Rows on the make of the pool leave out the run of a dozen documents. On runs as submitted the flag does what it is meant for: it marks {submitted.flagged("spurious")} % of the spurious drops, and {submitted.flagged("genuine")} % of the genuine ones, so it says *look*, not *false*; of what it leaves unmarked {submitted.unflagged("genuine", "between")} % fell in truth. Where it is weaker: pools of depth 5 or of the baseline alone (condensed rankings then favour the system that chose what was judged); a thinned candidate, which lost pooled documents and found others as good that nobody judged (a condensed ranking sees the loss alone); runs cut at a dozen documents (a condensed ranking of theirs ends early). The artefact, that is how much more the pool shows than is true, depends on how shallow the pool is: {decimal(by_depth[0], 2)}, {decimal(by_depth[1], 2)} and {decimal(by_depth[2], 2)} × the fall of judged@10 at depths {pools.DEPTHS[0]}, {pools.DEPTHS[1]} and {pools.DEPTHS[2]}; the gate assumes .44."""
