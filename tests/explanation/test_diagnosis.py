"""A drop taken apart into recall and order, by hand, by property and on real rankings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.explanation.diagnosis import Diagnosis, diagnose, split_change
from pytest_beir.gate.comparison import compare_scores
from pytest_beir.gate.strata import query_weights
from pytest_beir.scoring.scorer import Scores, score

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Run = Mapping[str, Mapping[str, float]]
    Qrels = Mapping[str, Mapping[str, int]]

METRICS = ("nDCG@10", "nDCG@10(binary)", "nDCG@3", "R@100", "R@5", "P@10")
EXACT = 1e-12


def take_apart(
    qrels: Qrels, before: Run, now: Run, metric: str = "nDCG@10"
) -> tuple[Diagnosis, float]:
    """The diagnosis, and the change of the mean as the scorer sees it."""
    old, new = score(qrels, before, (metric,)), score(qrels, now, (metric,))
    found = diagnose(
        metric, qrels, (old.values[metric], new.values[metric]), (old.judged, new.judged)
    )
    changes = [new.values[metric][query] - old.values[metric][query] for query in qrels]
    return found, math.fsum(changes) / len(changes)


def ranking(length: int = 100, **places: int) -> dict[str, float]:
    """A ranking of fillers that holds the named documents at these ranks."""
    by_rank = {rank: document for document, rank in places.items()}
    return {by_rank.get(rank, f"filler{rank}"): float(-rank) for rank in range(1, length + 1)}


def test_documents_that_rise_within_the_top_100_are_pure_order() -> None:
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    found, delta = take_apart(qrels, {"q": ranking(a=1, b=4, c=8)}, {"q": ranking(a=1, b=2, c=5)})
    # (1 + 1/log2(5) + 1/log2(9)) / (1 + 1/log2(3) + 1/2) = .8194, and .9469 with ranks 1, 2, 5.
    assert delta == pytest.approx(0.9469 - 0.8194, abs=1e-4)
    assert found.recall == 0.0
    assert found.order == pytest.approx(delta, abs=EXACT)
    assert (found.left, found.entered, found.fell, found.rose) == (0, 0, 0, 2)


def test_a_relevant_document_removed_from_the_top_100_is_recall() -> None:
    qrels = {"q": {"a": 1, "b": 1}}
    found, _ = take_apart(qrels, {"q": ranking(a=1, b=2)}, {"q": ranking(a=1)})
    # The ideal is 1 + 1/log2(3) = 1.6309, of which the second document held .6309.
    assert found.recall == pytest.approx(-0.6309 / 1.6309, abs=1e-4)
    assert found.order == 0.0
    assert (found.left, found.entered) == (1, 0)


def test_a_document_pushed_below_rank_ten_is_order() -> None:
    qrels = {"q": {"a": 1}}
    found, _ = take_apart(qrels, {"q": ranking(a=1)}, {"q": ranking(a=100)})
    assert (found.recall, found.order) == (0.0, -1.0)


def test_a_document_pushed_below_rank_100_is_recall() -> None:
    qrels = {"q": {"a": 1}}
    found, _ = take_apart(qrels, {"q": ranking(a=1)}, {"q": ranking(101, a=101)})
    assert (found.recall, found.order) == (-1.0, 0.0)


def test_grades_weigh_each_part() -> None:
    qrels = {"q": {"a": 2, "b": 1, "c": 1, "n": 0}}
    before, now = {"q": ranking(a=1, b=3, n=2)}, {"q": ranking(a=3, c=10, n=1)}
    found, delta = take_apart(qrels, before, now)
    # Ideal 2 + .6309 + .5 = 3.1309. Order: a from 2/1 to 2/2, -1. Recall: b lost 1/2, c gained
    # 1/log2(11) = .2891.
    assert found.order == pytest.approx(-1 / 3.1309, abs=1e-4)
    assert found.recall == pytest.approx((0.2891 - 0.5) / 3.1309, abs=1e-4)
    assert found.delta == pytest.approx(delta, abs=EXACT)


def test_a_binary_metric_takes_every_grade_for_one() -> None:
    qrels = {"q": {"a": 3, "b": 1}}
    before, now = {"q": ranking(a=1, b=2)}, {"q": ranking(a=2)}
    found, _ = take_apart(qrels, before, now, "nDCG@10(binary)")
    assert found.order == pytest.approx((0.6309 - 1) / 1.6309, abs=1e-4)
    assert found.recall == pytest.approx(-0.6309 / 1.6309, abs=1e-4)


def test_recall_at_100_is_recall_alone_and_recall_at_5_is_not() -> None:
    qrels = {"q": {"a": 1, "b": 1}}
    before, now = {"q": ranking(a=1, b=2)}, {"q": ranking(a=50)}
    deep, _ = take_apart(qrels, before, now, "R@100")
    assert (deep.recall, deep.order) == (-0.5, 0.0)
    shallow, _ = take_apart(qrels, before, now, "R@5")
    assert (shallow.recall, shallow.order) == (-0.5, -0.5)


@pytest.mark.parametrize("metric", ["RR@10", "Success@5"])
def test_a_metric_that_is_no_sum_over_documents_has_no_parts(metric: str) -> None:
    qrels = {"q": {"a": 1}}
    found, delta = take_apart(qrels, {"q": ranking(a=1)}, {"q": ranking(a=7)}, metric)
    assert (found.recall, found.order) == (None, None)
    assert found.delta == pytest.approx(delta, abs=EXACT)
    assert (found.worse, found.fell) == (1, 1)
    assert split_change(metric, qrels["q"], {"a": 1}, {"a": 7}) is None


def test_a_query_that_is_not_answered_lost_by_recall() -> None:
    qrels = {"q": {"a": 1}, "r": {"b": 1}}
    found, _ = take_apart(qrels, {"q": ranking(a=1), "r": ranking(b=1)}, {"r": ranking(b=1)})
    assert (found.recall, found.order, found.worse) == (-0.5, 0.0, 1)


def test_answers_cut_short_show_by_their_depth() -> None:
    qrels = {f"q{place}": {"a": 1, "b": 1} for place in range(12)}
    found, _ = take_apart(
        qrels,
        {query: ranking(a=3, b=80) for query in qrels},
        {query: ranking(20, a=3) for query in qrels},
    )
    assert found.delta == 0.0
    assert found.deepest == (80, 3)
    assert (found.beyond, found.left) == (12, 12)


def test_the_parts_of_a_divided_dataset_weigh_alike() -> None:
    queries = ["android/1", "android/2", "android/3", "unix/1"]
    weights = query_weights(queries, ("android", "unix"))
    assert weights == pytest.approx(dict(zip(queries, [1 / 6, 1 / 6, 1 / 6, 1 / 2], strict=True)))
    qrels = {query: {"a": 1} for query in queries}
    ranks = dict.fromkeys(queries, ((1, "a"),))
    scores = dict.fromkeys(queries, 1.0)
    found = diagnose(
        "nDCG@10",
        qrels,
        (scores, scores | {"unix/1": 0.0}),
        (ranks, ranks | {"unix/1": ()}),
        strata=("android", "unix"),
    )
    assert (found.delta, found.recall, found.order) == (-0.5, -0.5, 0.0)


grades = st.dictionaries(
    st.sampled_from([f"d{place}" for place in range(130)]),
    st.integers(-1, 3),
    min_size=1,
    max_size=12,
)
orders = st.permutations([f"d{place}" for place in range(130)])


@settings(max_examples=60, deadline=None)
@given(
    judgements=st.lists(grades, min_size=1, max_size=4),
    both=st.tuples(orders, orders),
    length=st.sampled_from([1, 9, 20, 100, 130]),
    metric=st.sampled_from(METRICS),
)
def test_the_parts_add_up_to_the_change(
    judgements: list[dict[str, int]],
    both: tuple[list[str], list[str]],
    length: int,
    metric: str,
) -> None:
    qrels = {f"q{place}": each for place, each in enumerate(judgements)}
    old, new = ({document: float(-place) for place, document in enumerate(order)} for order in both)
    cut = dict(list(new.items())[:length])
    found, delta = take_apart(qrels, dict.fromkeys(qrels, old), dict.fromkeys(qrels, cut), metric)
    assert found.recall is not None
    assert found.order is not None
    assert found.recall + found.order == pytest.approx(delta, abs=EXACT)
    assert found.delta == pytest.approx(delta, abs=EXACT)


@pytest.fixture(scope="module")
def scifact(shared_data: Path) -> tuple[Qrels, dict[str, Scores]]:
    """SciFact's judgements and three scored runs."""
    qrels: dict[str, dict[str, int]] = {}
    table = (shared_data / "beir/scifact/qrels/test.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        query, document, grade = line.split("\t")
        qrels.setdefault(query, {})[document] = int(grade)
    files = {
        "stemmed": "local-bm25s-lucene-k0.9-b0.4-stem",
        "unstemmed": "local-bm25s-lucene-k0.9-b0.4-nostem",
        "dense": "minilm-l6-v2-dense",
    }
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for name, file in files.items():
        runs[name] = {}
        text = (shared_data / f"runs/scifact/{file}.trec").read_text(encoding="utf-8")
        for line in text.splitlines():
            query, _, document, _, value, _ = line.split()
            if query in qrels:
                runs[name].setdefault(query, {})[document] = float(value)
    runs["cut at 20"] = {
        query: dict(sorted(answer.items(), key=lambda item: -item[1])[:20])
        for query, answer in runs["stemmed"].items()
    }
    return qrels, {name: score(qrels, run) for name, run in runs.items()}


def compared(
    scifact: tuple[Qrels, dict[str, Scores]], before: str, now: str, metric: str = "nDCG@10"
) -> Diagnosis:
    qrels, scored = scifact
    old, new = scored[before], scored[now]
    return diagnose(
        metric, qrels, (old.values[metric], new.values[metric]), (old.judged, new.judged)
    )


# Ranks read off the sorted run files; one relevant document each (70: two).
BY_HAND = [
    ("unstemmed", "1241", [(1, None)], -1.0, 0.0),
    ("unstemmed", "575", [(1, 18)], 0.0, -1.0),
    ("unstemmed", "637", [(1, 8)], 0.0, 1 / math.log2(9) - 1),
    ("unstemmed", "517", [(2, 15)], 0.0, -1 / math.log2(3)),
    ("unstemmed", "1196", [(5, None)], -1 / math.log2(6), 0.0),
    ("dense", "1024", [(1, 41)], 0.0, -1.0),
    ("dense", "294", [(1, 12)], 0.0, -1.0),
    ("dense", "48", [(1, None)], -1.0, 0.0),
    ("dense", "660", [(1, None)], -1.0, 0.0),
    ("dense", "70", [(1, 15), (2, 18)], 0.0, -1.0),
]


@pytest.mark.parametrize(("now", "query", "ranks", "recall", "order"), BY_HAND)
def test_ten_losing_queries_of_scifact_split_as_by_hand(
    scifact: tuple[Qrels, dict[str, Scores]],
    now: str,
    query: str,
    ranks: list[tuple[int, int | None]],
    recall: float,
    order: float,
) -> None:
    qrels, scored = scifact
    old, new = (
        {document: rank for rank, document in scored[name].judged[query]}
        for name in ("stemmed", now)
    )
    assert sorted((old[document], new.get(document)) for document in old) == ranks
    found = split_change("nDCG@10", qrels[query], old, new)
    assert found is not None
    assert (found.recall, found.order) == pytest.approx((recall, order), abs=EXACT)


def test_without_a_stemmer_both_parts_of_scifact_fall(
    scifact: tuple[Qrels, dict[str, Scores]],
) -> None:
    found = compared(scifact, "stemmed", "unstemmed")
    assert found.recall == pytest.approx(-0.0078, abs=1e-4)
    assert found.order == pytest.approx(-0.0115, abs=1e-4)
    assert (found.left, found.entered) == (15, 2)


def test_the_dense_system_loses_by_order_on_scifact(
    scifact: tuple[Qrels, dict[str, Scores]],
) -> None:
    found = compared(scifact, "stemmed", "dense")
    assert found.order is not None
    assert found.order < 0.95 * found.delta


def test_a_cut_at_20_leaves_ndcg_and_shows_in_recall_and_depth(
    scifact: tuple[Qrels, dict[str, Scores]],
) -> None:
    assert compared(scifact, "stemmed", "cut at 20").delta == 0.0
    found = compared(scifact, "stemmed", "cut at 20", "R@100")
    assert found.recall == found.delta < -0.05
    assert found.order == 0.0
    assert found.deepest[1] is not None
    assert found.deepest[1] <= 20
    assert found.beyond == found.left


@pytest.mark.parametrize("now", ["unstemmed", "dense"])
def test_counts_agree_with_the_comparison(
    scifact: tuple[Qrels, dict[str, Scores]], now: str
) -> None:
    _, scored = scifact
    vectors = [scored[name].values["nDCG@10"] for name in ("stemmed", now)]
    comparison = compare_scores(*vectors)
    found = compared(scifact, "stemmed", now)
    assert (found.worse, found.better) == (comparison.worse, comparison.better)
    assert found.largest_losers_share == pytest.approx(comparison.largest_losers_share)
    assert found.recall is not None
    assert found.order is not None
    assert found.recall + found.order == pytest.approx(found.delta, abs=EXACT)
