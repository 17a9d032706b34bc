"""A realistic run with every verdict, and small factories for single results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from pytest_beir.datasets.average_set import AverageSet
from pytest_beir.evaluation.result import Evaluation
from pytest_beir.explanation.explain import Explanation
from pytest_beir.explanation.worst_queries import MovedDocument, QueryLoss
from pytest_beir.gate.comparison import Comparison
from pytest_beir.gate.power import queries_to_exclude
from pytest_beir.gate.verdict import MetricVerdict
from pytest_beir.suite.averages import Average
from pytest_beir.suite.run import DidNotRun, RetrieverFamily, SuiteRun

ALPHA = 0.05 / 11  # ten datasets and their average


@dataclass(frozen=True)
class Factory:
    """Makes results whose numbers need not come from a computation."""

    retriever: str = "bm25"

    def comparison(self, delta: float, p: float, **given: Any) -> Comparison:
        fields: dict[str, Any] = {
            "n": 300,
            "worse": 35,
            "better": 12,
            "delta": delta,
            "p_drop": p,
            "p_gain": min(1.0, 1.0001 - p),
            "p_bootstrap": p,
            "p_signflip": p,
            "lower": delta - 0.019,
            "upper": delta + 0.018,
            "mde": 0.037,
            "sd": 0.19,
            "spread": 0.0,
            "largest_losers_share": 0.18,
            "alpha": ALPHA,
            "min_effect": 0.005,
            "margin": 0.02,
            "verdict": "inconclusive",
            "reason": None,
        } | given
        fields.setdefault("changed", fields["worse"] + fields["better"])
        fields.setdefault("margin_bound", fields["lower"] - 0.001)
        fields.setdefault("effect", fields["delta"])
        fields.setdefault("worst", -0.65)
        if fields["sd"]:
            needed = queries_to_exclude(fields["margin"], fields["sd"], fields["worst"])
            fields.setdefault("queries_needed", needed)
        return Comparison(**fields)

    def metric(
        self,
        baseline: float | None,
        now: float,
        verdict: str | None = None,
        p: float = 0.31,
        **given: Any,
    ) -> MetricVerdict:
        """A gated nDCG@10, or with `verdict` None an R@100 that is only recorded."""
        own = ("metric", "reason", "note", "anchor", "alpha", "min_effect", "margin", "flags")
        fields: dict[str, Any] = {
            "metric": "R@100" if verdict is None else "nDCG@10",
            "gated": verdict is not None,
            "verdict": verdict,
            "reason": None,
            "note": None,
            "now": now,
            "baseline": baseline,
            "anchor": baseline,
            "level": ALPHA,
            "alpha": ALPHA if verdict is not None and baseline is not None else None,
            "min_effect": 0.005,
            "margin": 0.02,
            "current": None,
            "against_anchor": None,
            "flags": (),
            "regressed_against": ("current",) if verdict == "regressed" else (),
        }
        for name in (*own, "gated", "against_anchor", "regressed_against"):
            if name in given:
                fields[name] = given.pop(name)
        if baseline is not None and verdict != "not comparable":
            limits = {name: fields[name] for name in ("min_effect", "margin", "reason")}
            delta = round(now - baseline, 4)
            fields["current"] = self.comparison(delta, p, **limits, **given)
        return MetricVerdict(**fields)

    def evaluation(
        self, dataset: str, verdict: str, *metrics: MetricVerdict, **given: Any
    ) -> Evaluation:
        fields: dict[str, Any] = {
            "retriever": self.retriever,
            "version": "0.3",
            "dataset": dataset,
            "split": "test",
            "verdict": verdict,
            "reason": "",
            "passed": verdict not in {"error", "not comparable", "no baseline", "regressed"},
            "message": "",
            "queries": 300,
            "missing": 0,
            "metrics": {metric.metric: metric for metric in metrics},
            "judged_at_10": (0.3, 0.3),
            "explanation": Explanation(losses=given.pop("losses", ())),
        } | given
        return Evaluation(**fields)

    def run(self, *evaluations: Evaluation, **given: Any) -> SuiteRun:
        names = tuple(dict.fromkeys(each.dataset for each in evaluations))
        retrievers = dict.fromkeys(each.retriever for each in evaluations)
        family = len(names) + (len(names) > 1)
        fields: dict[str, Any] = {
            "suite_id": "5e1f0c0ffee0",
            "declared": names,
            "selected": names,
            "retrievers": tuple(
                RetrieverFamily(name, "0.3", family, float(family), 0.05) for name in retrievers
            ),
            "evaluations": evaluations,
        } | given
        return SuiteRun(**fields)

    def average(self, metric: str, members: tuple[str, ...], **given: Any) -> Average:
        chosen = AverageSet(name=given.pop("name", "nightly"), metric=metric, members=members)
        own = ("gated", "withheld", "on_purpose", "label", "note", "excused")
        fields = {"gated": True} | {name: given.pop(name) for name in own if name in given}
        if "now" in given:
            current = given.pop("comparison", None)
            empty: dict[str, Any] = {"verdict": None, "reason": None, "current": current}
            gated = bool(fields["gated"])
            fields["result"] = MetricVerdict(metric=metric, gated=gated, **empty | given)
        return Average(retriever=self.retriever, metric=metric, set=chosen, **fields)


@pytest.fixture(scope="session")
def make() -> Factory:
    """Factories of results for the retriever `bm25`."""
    return Factory()


@pytest.fixture(scope="session")
def losses() -> tuple[QueryLoss, ...]:
    """Two queries that lost, with relevant documents that moved."""
    return (
        QueryLoss(
            "1395",
            "Shoes with a wide toe box lower the risk of foot problems in later life",
            1.0,
            0.0,
            (MovedDocument("17717391", "Footwear and the ageing foot: a cohort", 1, 1, None),),
        ),
        QueryLoss(
            "502",
            "Vitamin D does not prevent colds",
            0.8155,
            0.2,
            (
                MovedDocument("9412", "Vitamin D and respiratory infection", 2, 2, 14),
                MovedDocument("771", "Supplements in winter", 1, 4, 61),
            ),
        ),
    )


@pytest.fixture(scope="session")
def realistic_run(make: Factory, losses: tuple[QueryLoss, ...]) -> SuiteRun:
    """Nine datasets that have every verdict, one that did not run, and two averages."""
    steady: dict[str, Any] = {
        "worse": 0,
        "better": 0,
        "lower": 0.0,
        "upper": 0.0,
        "margin_bound": 0.0,
        "mde": None,
        "sd": 0.0,
        "spread": 0.0,
        "largest_losers_share": None,
    }
    evaluations = (
        make.evaluation(
            "arguana",
            "unchanged",
            make.metric(0.3971, 0.3971, "unchanged", 1.0, n=1406, **steady),
            make.metric(0.9317, 0.9317, None, 1.0, n=1406, **steady),
            queries=1406,
            judged_at_10=(0.0981, 0.0981),
        ),
        make.evaluation(
            "climate-fever",
            "within tolerance",
            make.metric(
                *(0.1651, 0.1639, "within tolerance", 0.24),
                n=1535,
                worse=214,
                better=197,
                lower=-0.0041,
                upper=0.0018,
                min_effect=0.0041,
                margin=0.0165,
                sd=0.07,
                mde=0.006,
            ),
            make.metric(
                *(0.4249, 0.4187, None, 0.0031),
                n=1535,
                worse=88,
                better=51,
                lower=-0.0099,
                upper=-0.0024,
                flags=("suspect:R@100",),
            ),
            queries=1535,
            judged_at_10=(0.1109, 0.1122),
            flags=("suspect:R@100",),
        ),
        make.evaluation(
            "dbpedia-entity",
            "inconclusive",
            make.metric(
                *(0.3129, 0.3091, "inconclusive", 0.318),
                n=400,
                worse=151,
                better=140,
                lower=-0.0172,
                upper=0.0096,
                reason="underpowered",
                sd=0.164,
                mde=0.0283,
                margin_bound=-0.0209,
            ),
            make.metric(0.3982, 0.3990, None, 0.61, n=400),
            queries=400,
            judged_at_10=(0.6938, 0.7105),
            flags=("corpus-changed",),
        ),
        make.evaluation(
            "fiqa",
            "no baseline",
            make.metric(None, 0.2361, "no baseline"),
            make.metric(None, 0.5395),
            queries=648,
            judged_at_10=(0.0711, None),
        ),
        make.evaluation(
            "nq",
            "error",
            queries=3452,
            missing=1204,
            reason="1,204 of 3,452 queries have no answer, the first of them test0, test3 and "
            "test9; allow_missing is 0",
            judged_at_10=(None, None),
        ),
        make.evaluation(
            "scidocs",
            "improved",
            make.metric(
                *(0.1490, 0.1581, "improved", 0.9999),
                n=1000,
                worse=187,
                better=268,
                lower=0.0056,
                upper=0.0127,
                min_effect=0.0037,
                margin=0.0149,
                p_gain=2e-7,
            ),
            make.metric(0.3477, 0.3496, None, 0.79, n=1000),
            queries=1000,
            judged_at_10=(0.1035, 0.1034),
        ),
        make.evaluation(
            "scifact",
            "regressed",
            make.metric(
                *(0.6521, 0.6113, "regressed", 0.0004),
                lower=-0.0605,
                upper=-0.0217,
                margin_bound=-0.0631,
                mde=0.0402,
            ),
            make.metric(0.9250, 0.9213, None, 0.19, worse=4, better=2),
            losses=losses,
            judged_at_10=(0.0921, 0.0893),
        ),
        make.evaluation(
            "trec-covid",
            "inconclusive",
            make.metric(
                *(0.6559, 0.6248, "inconclusive", 0.0213),
                n=50,
                worse=29,
                better=17,
                lower=-0.0557,
                upper=-0.0066,
                reason="underpowered",
                sd=0.1062,
                mde=0.0518,
                margin=0.03,
            ),
            make.metric(0.1091, 0.1079, None, 0.17, n=50),
            queries=50,
            judged_at_10=(0.9020, 0.9140),
            flags=("likely-drop",),
        ),
        make.evaluation(
            "webis-touche2020",
            "not comparable",
            make.metric(None, 0.3713, "not comparable"),
            make.metric(None, 0.5904),
            queries=49,
            reason="the judgements are not those of the baseline (2,214 then, 2,099 now)",
            judged_at_10=(0.4020, None),
        ),
    )
    names = tuple(each.dataset for each in evaluations)
    declared = (*names[:4], "hotpotqa", *names[4:])
    members = tuple(f"{name}@test" for name in declared)
    withheld = (
        "hotpotqa was deselected, nq ended in an error, fiqa has no baseline, "
        "webis-touche2020 is not comparable with its baseline"
    )
    return make.run(
        *evaluations,
        declared=declared,
        selected=names,
        retrievers=(RetrieverFamily("bm25", "0.3", 11, 11.0, 0.05),),
        did_not_run=(DidNotRun("bm25", "hotpotqa", "deselected by -k", on_purpose=True),),
        averages=(
            make.average("nDCG@10", members, withheld=withheld),
            make.average("R@100", members, withheld=withheld, gated=False),
        ),
        environment={"python": "3.11.4", "commit": "0123abc"},
    )
