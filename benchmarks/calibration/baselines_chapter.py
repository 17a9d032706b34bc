"""The chapters on what stands behind a test: baselines over time, and shallow pools."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calibration import pools, releases, suites
from benchmarks.calibration.table import decimal, level_name, percent, table

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLOT = "calibration"
_COMPANY = ("alone", "and one other", "and two others", "and three others")


def releases_chapter(histories: releases.Histories) -> Iterator[str]:
    yield f"""## 3. Baselines over time

One dataset of a suite of {len(suites.QUERIES)} (level .05/{suites.FAMILY.tests}). *Update table*: two vectors, the maintainer writes after each passing release what `--beir-update --beir-accept=neutral` allows. *Previous only*: against the release before. *One fixed vector*: against the first for ever. *High-water*: against the highest mean so far.

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


def pools_chapter(found: pools.Pools) -> Iterator[str]:
    cases = found.found
    yield f"""## 4. Unjudged documents: what `pool-suspect` is worth

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
