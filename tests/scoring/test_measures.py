"""Each metric against values worked out by hand and against ir_measures."""

from __future__ import annotations

import random
from math import log2
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import ScoringError
from pytest_beir.scoring.measures import MEASURES, forms, parse_metric, spelled_here
from pytest_beir.scoring.scorer import score_run

if TYPE_CHECKING:
    from pytest_beir.scoring.measures.measure import Measure

QRELS = {"q": {"a": 2, "b": 1, "c": 0, "d": -1, "z": 1}}
RUN = {"q": {"d": 6.0, "x": 5.0, "b": 4.0, "c": 3.0, "a": 2.0, "y": 1.0}}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("nDCG@10", (1 / log2(4) + 2 / log2(6)) / (2 / log2(2) + 1 / log2(3) + 1 / log2(4))),
        ("nDCG@4", (1 / log2(4)) / (2 / log2(2) + 1 / log2(3) + 1 / log2(4))),
        ("nDCG@2", 0.0),
        (
            "nDCG@10(binary)",
            (1 / log2(4) + 1 / log2(6)) / (1 / log2(2) + 1 / log2(3) + 1 / log2(4)),
        ),
        ("R@100", 2 / 3),
        ("R@3", 1 / 3),
        ("P@5", 2 / 5),
        ("P@10", 2 / 10),
        ("RR@10", 1 / 3),
        ("RR@2", 0.0),
        ("Success@3", 1.0),
        ("Success@2", 0.0),
        ("Judged@5", 4 / 5),
        ("Judged@10", 4 / 6),
    ],
)
def test_a_small_ranking_scores_what_the_definition_says(metric: Any, expected: Any) -> None:
    assert score_run(QRELS, RUN, [metric]) == {metric: {"q": pytest.approx(expected, abs=1e-15)}}


@pytest.mark.filterwarnings("ignore:.*Python 3[.]14:DeprecationWarning")  # of ir_measures
@pytest.mark.parametrize("cutoff", [1, 3, 10, 100])
def test_every_kind_agrees_with_ir_measures(cutoff: Any) -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures")
    rng = random.Random(cutoff)  # noqa: S311  # reproducible, nothing secret
    ids = [f"d{one:03}" for one in range(60)]
    qrels = {
        f"q{one}": {document: rng.choice((0, 0, 1, 2, 3)) for document in rng.sample(ids, 15)}
        for one in range(20)
    }
    # Distinct scores: ir_measures breaks the ties of Judged by ascending id.
    run = {
        query: {one: rng.random() for one in rng.sample(ids, rng.randint(1, 60))} for query in qrels
    }
    names = [f"{kind}@{cutoff}" for kind in ("nDCG", "R", "P", "RR", "Success", "Judged")]
    scored = score_run(qrels, run, names)
    measures = [ir_measures.parse_measure(name) for name in names]
    expected = {
        (str(one.measure), one.query_id): one.value
        for one in ir_measures.iter_calc(measures, qrels, run)
    }
    assert len(expected) == len(names) * len(qrels)
    for (name, query), value in expected.items():
        assert scored[name][query] == pytest.approx(value, abs=1e-12), (name, query)


def test_a_metric_knows_its_parts() -> None:
    metric = parse_metric("nDCG@10(binary)")
    assert (metric.name, metric.kind, metric.cutoff, metric.binary) == (
        "nDCG@10(binary)",
        "nDCG",
        10,
        True,
    )


def test_metrics_that_differ_have_definitions_that_differ() -> None:
    names = [form.replace("@k", "@10") for measure in MEASURES for form in measure.forms]
    names += ["nDCG@5", "P(rel=3)@10"]
    assert len({parse_metric(name).definition for name in names}) == len(names)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.kind)
def test_every_form_that_is_listed_is_understood(measure: Measure) -> None:
    for form in measure.forms:
        metric = parse_metric(form.replace("@k", "@7"))
        assert (metric.kind, metric.cutoff) == (measure.kind, 7 if "@k" in form else None)
        assert form in forms()


def test_spellings_and_kinds_are_not_used_for_two_measures() -> None:
    spellings = [each for measure in MEASURES for each in measure.spellings]
    kinds = [measure.kind for measure in MEASURES]
    assert len({*spellings}) == len(spellings)
    assert len({*kinds}) == len(kinds)


def test_what_adds_up_over_documents_adds_up_to_the_score() -> None:
    ranks = {"b": 3, "a": 5}  # of the relevant documents in RUN
    grades = QRELS["q"]
    adding = [measure for measure in MEASURES if measure.worth]
    assert {measure.kind for measure in adding} == {"nDCG", "R", "P", "Rprec", "R_cap"}
    for measure in adding:
        for form in measure.forms:
            metric = parse_metric(form.replace("@k", "@5"))
            worth = metric.worth([grade for grade in grades.values() if grade > 0])
            assert worth is not None
            total = sum(worth(grades[document], rank) for document, rank in ranks.items())
            score = score_run(QRELS, RUN, [metric.name])[metric.name]["q"]
            assert total == pytest.approx(score, abs=1e-12), metric.name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ndcg_at_10", "nDCG@10"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("map_cut_100", "AP@100"),
        ("map", "AP"),
        ("MRR@10", "RR@10"),
        ("recall_100", "R@100"),
        ("R_cap@100", "R_cap@100"),
        ("hit_rate@5", "Success@5"),
        ("ndcg@10(binary)", "nDCG@10(binary)"),
        ("P(rel=2)@10", "P(rel=2)@10"),
        ("accuracy", None),
        ("recall", None),
    ],
)
def test_the_spellings_of_others_are_known(written: str, name: str | None) -> None:
    assert spelled_here(written) == name


@pytest.mark.parametrize(
    "name",
    ["ndcg@10", "R", "nDCG@0", "nDCG@-1", "R@100(binary)", "MAP@10", "", "nDCG@10 ", None],
)
def test_an_unknown_metric_is_an_error_that_lists_the_known(name: Any) -> None:
    with pytest.raises(ScoringError, match=r"unknown metric .*nDCG@k, R@k.*for example nDCG@10"):
        parse_metric(name)


@pytest.mark.parametrize(("name", "meant"), [("MAP@10", "AP@10"), ("recall@100", "R@100")])
def test_the_name_that_was_meant_is_suggested(name: str, meant: str) -> None:
    with pytest.raises(ScoringError, match=f"did you mean {meant!r}"):
        parse_metric(name)


def test_what_a_gate_may_judge_is_listed_without_what_is_only_recorded() -> None:
    every, gated = forms().split(", "), forms(recorded=False).split(", ")
    assert [form for form in every if form not in gated] == ["Judged@k"]
    assert {"nDCG@k", "R@k", "P@k"} <= {*gated}
