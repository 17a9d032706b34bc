"""The chapters on flags, strict, diffuse losses, a year of changes, and small sets."""

# ruff: noqa: E501 - a paragraph of the page is one line

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.calibration import harmless, small_sets, suites
from benchmarks.calibration.table import decimal, level_name, percent, table
from pytest_beir.flags import STRICT_BY_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.calibration.harmless import Sessions
    from benchmarks.calibration.small_sets import Small, SmallSets, Vanished
    from benchmarks.calibration.suites import Found, Noisy, Suites


def suites_chapter(sessions: Sequence[Sessions], measured: Suites) -> Iterator[str]:
    yield from _flags(sessions)
    yield from _diffuse(measured.found)
    yield from _year(sessions, measured.noisy)


def _flags(sessions: Sequence[Sessions]) -> Iterator[str]:
    tests, sizes = suites.FAMILY.tests, suites.QUERIES.values()
    yield f"""## 2. `improved`, each flag, and `--beir-strict`, after a harmless change

Sessions of eighteen datasets with the query counts of the real ones ({min(sizes)} to {max(sizes):,}): {tests} tests with the average and the diffuse test, each at .05/{tests}. One kind of harmless change touches all of them. Shown is the share of sessions in which a flag shows anywhere. `stale-baseline` is an `improved` that was not stored, so its row is that of false gains. `drift` is measured after one harmless step was taken before; without a step there is none. `toothless` never shows here: the smallest set has {min(sizes)} queries. `fragile` describes a drop and fails nothing."""
    names = [f"{each.source}" for each in sessions]
    yield table(
        ("shows in sessions, %", *names),
        [
            *((f"`{flag}`", *(each.shown[flag] for each in sessions)) for flag in harmless.FLAGS),
            ("`likely-drop` as it was (p ≤ .05)", *(each.old_likely for each in sessions)),
            ("`drift` as it was (without a step)", *(each.old_drift for each in sessions)),
        ],
    )
    yield "What fails: the verdicts alone, and with one flag more under `--beir-strict=FLAG`."
    default = ", ".join(f"`{name}`" for name in STRICT_BY_DEFAULT)
    yield table(
        ("sessions that fail, %", *names),
        [
            ("verdicts alone", *(each.shown["regressed"] for each in sessions)),
            *(
                (f"and `{flag}`", *(each.adds[flag] for each in sessions))
                for flag in harmless.FLAGS[1:]
            ),
            ("`--beir-strict` (the default list)", *(each.strict for each in sessions)),
        ],
    )
    yield f"The default list is {default}. Those of them that are not in the table do not depend on chance."
    yield "The same sessions without a shared α, and under a fixed threshold:"
    yield table(
        (
            "sessions that fail, %",
            *(f"{each.source} (sd {decimal(each.sd, 2)})" for each in sessions),
        ),
        [
            ("each dataset at .05", *(each.uncorrected for each in sessions)),
            ("any mean lower by .01", *(each.threshold for each in sessions)),
        ],
    )
    yield "![Sessions that fail a harmless change](calibration/sessions.svg)"


def _diffuse(found: Sequence[Found]) -> Iterator[str]:
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
        [(f.name, f.before, f.any, f.datasets, f.average, f.diffuse) for f in found],
    )


def _year(sessions: Sequence[Sessions], noisy: Sequence[Noisy]) -> Iterator[str]:
    yield """## 4. A year of changes

Red runs to expect of harmless changes that touch the rankings, in a suite of eighteen datasets. *Anchored*: an anchor that differs is tested as well, each at half of its level. The rate of one session is measured, with its error; a year is that rate times the number of changes."""
    yield table(
        ("false reds a year", "of one session, %", *(f"{n} changes" for n in harmless.CHANGES)),
        [
            (f"{each.source}, {name}", rate, *(f"{rate.value * n:.1f}" for n in harmless.CHANGES))
            for each in sessions
            for name, rate in (("no anchor", each.shown["regressed"]), ("anchored", each.anchored))
        ],
    )
    yield "A retriever with noise and no change at all. The stored baseline is one search, and a red is searched once more."
    yield table(
        (
            "sessions that fail, %",
            "unconfirmed",
            "confirmed",
            *(f"reds in {n} runs" for n in harmless.CHANGES),
        ),
        [
            (
                f"{percent(each.changed)} % of queries change from search to search",
                each.once,
                each.confirmed,
                *(
                    f"{each.once.value * n:.1f} → {each.confirmed.value * n:.1f}"
                    for n in harmless.CHANGES
                ),
            )
            for each in noisy
        ],
    )


def small_chapter(measured: SmallSets) -> Iterator[str]:
    yield from _small(measured.small)
    yield from _vanished(measured.vanished)


def _small(small: Sequence[Small]) -> Iterator[str]:
    yield f"""## 5. Sets of {min(small_sets.QUERIES)} to {max(small_sets.QUERIES)} queries

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
            for each in small
        ],
    )


def _vanished(vanished: Sequence[Vanished]) -> Iterator[str]:
    yield f"""## 6. Recall beside nDCG, for documents that are lost

{small_sets.TOPICS} of the topics of the TREC 2003 robust track, ranked by the deepest of its runs and scored with the full judgements. A share of all documents of these rankings is gone, drawn anew each time, from the given rank on; the next ones move up. nDCG@10 alone has all of α = {level_name(small_sets.LEVEL)}; with R@100 gated beside it each has half."""
    yield table(
        ("found, %", "nDCG@10 alone", "both gated", "of these R@100"),
        [
            (f"{percent(v.share)} % of documents, from rank {v.since}", v.ndcg, v.both, v.recall)
            for v in vanished
        ],
    )
