"""Which sets occur, who covers them, and whose order depends on the set."""

from __future__ import annotations

import csv
import statistics
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_beir.datasets.average_set import average_set_id
from pytest_beir.published.csv_file import read_csv
from pytest_beir.published.score import Score
from pytest_beir.published.score_table import tabulate
from pytest_beir.published.survey import survey

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from pytest_beir.published.score_table import ScoreTable
    from pytest_beir.published.survey import Coverage

    Scores = Mapping[str, Mapping[str, float]]


def table_of(scores: Scores) -> ScoreTable:
    return tabulate(
        [
            Score(model, dataset, "test", "nDCG@10", value, "here")
            for model, values in scores.items()
            for dataset, value in values.items()
        ]
    )


TABLES = st.dictionaries(
    st.sampled_from("ABCDEF"),
    st.dictionaries(st.sampled_from("pqrst"), st.sampled_from([0.1, 0.2, 0.4, 0.7]), min_size=1),
    min_size=1,
)


@settings(deadline=None)
@given(TABLES)
def test_reversals_are_those_that_counting_by_hand_finds(scores: Scores) -> None:
    expected = set()
    for a, b in combinations(scores, 2):
        shared = scores[a].keys() & scores[b].keys()
        if len(shared) < 2:
            continue
        raw = statistics.fmean(scores[a].values()) - statistics.fmean(scores[b].values())
        common = statistics.fmean(scores[a][d] for d in shared) - statistics.fmean(
            scores[b][d] for d in shared
        )
        if abs(raw) > 1e-9 and abs(common) > 1e-9 and (raw > 0) != (common > 0):
            expected.add((a, b) if raw > 0 else (b, a))
    found = survey(table_of(scores)).reversals
    assert {(each.a, each.b) for each in found} == expected
    assert len(found) == len(expected)
    for each in found:
        assert each.raw[0] > each.raw[1]
        assert each.common[0] < each.common[1]
        assert each.size > 0


@settings(deadline=None)
@given(TABLES)
def test_models_are_parted_by_their_sets(scores: Scores) -> None:
    coverage = survey(table_of(scores))
    assert sorted(model for each in coverage.sets for model in each.models) == sorted(scores)
    assert len({each.set.id for each in coverage.sets}) == len(coverage.sets)
    for each in coverage.sets:
        members = {member.partition("@")[0] for member in each.set.members}
        assert all(scores[model].keys() == members for model in each.models)
        assert each.covering == sum(members <= values.keys() for values in scores.values())
    share_enough = sum(
        len(scores[a].keys() & scores[b].keys()) >= 2 for a, b in combinations(scores, 2)
    )
    assert coverage.pairs - coverage.without_common == share_enough


@settings(deadline=None)
@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(scores: Scores, random: Random) -> None:
    rows = [
        Score(model, dataset, "test", "nDCG@10", value, "here")
        for model, values in scores.items()
        for dataset, value in values.items()
    ]
    shuffled = random.sample(rows, len(rows))
    assert survey(tabulate(rows)) == survey(tabulate(shuffled))


def test_a_model_ahead_by_its_own_choice_of_datasets_is_behind_on_the_common_ones() -> None:
    scores = {"a": {"p": 0.5, "q": 0.5, "r": 0.9}, "b": {"p": 0.6, "q": 0.6}}
    (found,) = survey(table_of(scores)).reversals
    assert (found.a, found.b) == ("a", "b")
    assert found.raw == pytest.approx((1.9 / 3, 0.6))
    assert found.common == pytest.approx((0.5, 0.6))
    assert found.set.members == ("p@test", "q@test")
    assert [each.members for each in found.raw_sets] == [
        ("p@test", "q@test", "r@test"),
        ("p@test", "q@test"),
    ]


def test_of_reversals_over_equally_many_datasets_the_greatest_comes_first() -> None:
    both = {"p": 0.5, "q": 0.5}
    scores = {"a": both | {"r": 0.9}, "b": {"p": 0.6, "q": 0.6}, "c": both | {"r": 1.0}}
    reversals = survey(table_of(scores)).reversals
    assert [(each.a, each.b) for each in reversals] == [("c", "b"), ("a", "b")]
    assert [each.size for each in reversals] == pytest.approx([2 / 3 - 0.6, 1.9 / 3 - 0.6])


def test_one_shared_dataset_makes_no_average() -> None:
    scores = {"a": {"p": 0.5, "r": 0.9}, "b": {"p": 0.6}}
    coverage = survey(table_of(scores))
    assert coverage.reversals == ()
    assert coverage.without_common == coverage.pairs == 1


def test_a_table_without_official_splits_has_no_sets() -> None:
    rows = [Score("m", "msmarco", "test", "nDCG@10", 0.7, "here")]
    coverage = survey(tabulate(rows))
    assert not coverage.sets
    assert not coverage.reversals
    assert not coverage.ranking
    assert coverage.reference is None
    assert coverage.uncovered == ("m",)
    assert coverage.near_misses == ()


@pytest.fixture(scope="module")
def mteb_file() -> Path:
    path = Path(__file__).resolve().parents[2] / "../shared/data/published_mteb_ndcg10.csv"
    if not path.is_file():
        pytest.skip("needs ../shared/data beside the project folder")
    return path


@pytest.fixture(scope="module")
def mteb(mteb_file: Path) -> Coverage:
    return survey(tabulate(read_csv(mteb_file).scores))


@pytest.fixture(scope="module")
def by_hand(mteb_file: Path) -> Scores:
    """{model: {member on its official split: value}} without any code of ours."""
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    with mteb_file.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["split"] == ("dev" if row["dataset"] == "msmarco" else "test"):
                scores[row["model"]][f"{row['dataset']}@{row['split']}"] = float(row["value"])
    return scores


def test_of_391_published_models_113_cover_mteb_15_and_53_subsets_occur(
    mteb: Coverage, by_hand: Scores
) -> None:
    assert len(mteb.table.models) == 391
    assert len(mteb.sets) == 53
    assert {each.set.members for each in mteb.sets} == {
        tuple(sorted(values)) for values in by_hand.values()
    }
    (whole,) = [each for each in mteb.sets if each.set.name == "mteb-15"]
    assert len(whole.models) == whole.covering == 113
    assert whole.set.id == average_set_id("nDCG@10", whole.set.members)


def test_the_114th_has_ms_marco_only_on_its_test_split(mteb: Coverage) -> None:
    (miss,) = mteb.near_misses
    assert miss.lacks == ("msmarco@dev",)
    assert miss.reports == ("msmarco@test",)
    assert "msmarco@test" in mteb.table.aside


def test_published_reversals_are_real(mteb: Coverage, by_hand: Scores) -> None:
    assert len(mteb.reversals) > 1000
    for each in mteb.reversals[::50]:
        for model, raw, common in zip((each.a, each.b), each.raw, each.common, strict=True):
            values = by_hand[model]
            assert raw == pytest.approx(statistics.fmean(values.values()))
            assert common == pytest.approx(statistics.fmean(values[m] for m in each.set.members))
        shared = by_hand[each.a].keys() & by_hand[each.b].keys()
        assert set(each.set.members) == shared


def test_a_reversal_over_more_datasets_comes_first() -> None:
    scores = {
        "a": {"nq": 0.5, "fiqa": 0.5, "quora": 0.5, "scifact": 0.9},
        "b": {"nq": 0.55, "fiqa": 0.55, "quora": 0.55},
        "c": {"nfcorpus": 0.5, "arguana": 0.5, "scidocs": 1.0},
        "d": {"nfcorpus": 0.6, "arguana": 0.6},
    }
    reversals = survey(table_of(scores)).reversals
    assert [(each.a, each.b, len(each.set.members)) for each in reversals] == [
        ("a", "b", 3),
        ("c", "d", 2),
    ]
    assert reversals[0].size < reversals[1].size
