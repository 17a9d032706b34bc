"""The chapters on flags, strict, diffuse losses, a year of changes, and small sets."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calibration import small_sets, suites
from benchmarks.calibration.table import percent, table
from pytest_beir.flags import STRICT_BY_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.calibration.small_sets import SmallSets
    from benchmarks.calibration.suites import Flagged, Noisy, Suites


def suites_chapter(measured: Suites) -> Iterator[str]:
    yield from _flags(measured.flagged)
    yield """## 3. A small loss everywhere: the average and the diffuse test

Eighteen datasets, changes as the pair *parameter* makes them. *Before*: datasets and average alone, which then share all of α."""
    yield table(
        (
            "sessions that fail, %",
            "before",
            "now",
            "by a dataset",
            "by the average",
            "by the diffuse test",
        ),
        [(f.name, f.before, f.any, f.datasets, f.average, f.diffuse) for f in measured.found],
    )
    yield from _year(measured.flagged, measured.noisy)


def _flags(flagged: Sequence[Flagged]) -> Iterator[str]:
    tests = suites.FAMILY.tests
    yield f"""## 2. `improved`, each flag, and `--beir-strict`, after a harmless change

Sessions of eighteen datasets ({tests} tests with the average and the diffuse test) in which it shows anywhere. `stale-baseline` is an `improved` that was not stored, so its row is that of false gains. `drift` is measured after one harmless step was taken before; without a step there is none. `toothless` never shows here: the smallest set has {min(suites.QUERIES.values())} queries. `fragile` describes a drop and fails nothing. `inconclusive` shows in every session with sets as small as these."""
    names = [f"{each.source}" for each in flagged]
    yield table(
        ("shows in sessions, %", *names),
        [
            *((f"`{flag}`", *(each.shown[flag] for each in flagged)) for flag in suites.FLAGS),
            ("`likely-drop` as it was (p ≤ .05)", *(each.old_likely for each in flagged)),
            ("`drift` as it was (without a step)", *(each.old_drift for each in flagged)),
        ],
    )
    yield "What fails: the verdicts alone, and with one flag more under `--beir-strict=FLAG`."
    default = ", ".join(f"`{name}`" for name in STRICT_BY_DEFAULT)
    yield table(
        ("sessions that fail, %", *names),
        [
            ("verdicts alone", *(each.shown["regressed"] for each in flagged)),
            *(
                (f"and `{flag}`", *(each.adds[flag] for each in flagged))
                for flag in suites.FLAGS[1:]
            ),
            ("`--beir-strict` (the default list)", *(each.strict for each in flagged)),
        ],
    )
    yield f"The default list is {default}. Those of them that are not in the table do not depend on chance."


def _year(flagged: Sequence[Flagged], noisy: Sequence[Noisy]) -> Iterator[str]:
    yield """## 4. A year of changes

Red runs to expect of harmless changes that touch the rankings, in a suite of eighteen datasets. *Anchored*: an anchor that differs is tested as well, each at half of its level. The rate of one session is measured, with its error; a year is that rate times the number of changes."""
    yield table(
        ("false reds a year", "of one session, %", *(f"{n} changes" for n in suites.CHANGES)),
        [
            (f"{each.source}, {name}", rate, *(f"{rate.value * n:.1f}" for n in suites.CHANGES))
            for each in flagged
            for name, rate in (("no anchor", each.shown["regressed"]), ("anchored", each.anchored))
        ],
    )
    yield "A retriever with noise and no change at all. The stored baseline is one search, and a red is searched once more."
    yield table(
        (
            "sessions that fail, %",
            "unconfirmed",
            "confirmed",
            *(f"reds in {n} runs" for n in suites.CHANGES),
        ),
        [
            (
                f"{percent(0.08 * each.share)} % of queries change from search to search",
                each.once,
                each.confirmed,
                *(
                    f"{each.once.value * n:.1f} → {each.confirmed.value * n:.1f}"
                    for n in suites.CHANGES
                ),
            )
            for each in noisy
        ],
    )


def small_chapter(measured: SmallSets) -> Iterator[str]:
    yield """## 5. Sets of 20 to 50 queries

A share of the queries is lost altogether, a few others jitter as the pair *8 % changed* does. The rest of each row passes as `inconclusive`, and says so."""
    yield table(
        ("%", "queries", "regressed", "likely-drop", "improved"),
        [
            (
                f"{each.level}, {percent(each.lost)} % of queries lost",
                each.n,
                each.regressed,
                each.likely,
                each.improved,
            )
            for each in measured.small
        ],
    )
    yield f"""## 6. Recall beside nDCG, for documents that are lost

{small_sets.TOPICS} of the topics of the robust track. A share of all documents is gone from the rankings, from the given rank on; the next ones move up. nDCG@10 alone has all of α = .05, with R@100 gated beside it each has half."""
    yield table(
        ("found, %", "nDCG@10 alone", "both gated", "of these R@100"),
        [
            (f"{percent(v.share)} % of documents, from rank {v.since}", v.ndcg, v.both, v.recall)
            for v in measured.vanished
        ],
    )
