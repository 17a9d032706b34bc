"""Each score stands once, on the split that everybody uses, and forums make a whole or nothing."""

from __future__ import annotations

import pytest

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.errors import ScoresFileError
from pytest_beir.published.score import Score
from pytest_beir.published.score_table import tabulate

FORUMS = load_catalog().entries["cqadupstack"].members


def scores(*rows: tuple[str, str, str, float], metric: str = "nDCG@10") -> list[Score]:
    return [
        Score(model, dataset, split, metric, value, f"file:{line}")
        for line, (model, dataset, split, value) in enumerate(rows, 2)
    ]


def test_another_split_of_a_known_dataset_is_in_no_set() -> None:
    table = tabulate(scores(("m", "msmarco", "test", 0.7), ("m", "fiqa", "test", 0.3)))
    assert table.scores == {"m": {"fiqa@test": 0.3}}
    assert table.aside == {"msmarco@test": ("m",)}
    assert table.models == ("m",)


def test_a_model_with_nothing_on_an_official_split_still_counts_as_a_model() -> None:
    table = tabulate(scores(("a", "msmarco", "test", 0.7), ("b", "fiqa", "test", 0.3)))
    assert table.models == ("a", "b")
    assert list(table.scores) == ["b"]


def test_own_datasets_are_members_on_whatever_split_they_bear() -> None:
    table = tabulate(scores(("m", "docs", "test", 0.7), ("m", "docs", "dev", 0.3)))
    assert table.scores == {"m": {"docs@test": 0.7, "docs@dev": 0.3}}


def test_a_repeated_row_counts_once_and_is_counted() -> None:
    table = tabulate(scores(("m", "nq", "test", 0.7), ("m", "nq", "test", 0.7)))
    assert table.scores == {"m": {"nq@test": 0.7}}
    assert table.repeated == 1


def test_two_different_values_of_one_score_name_both_lines() -> None:
    rows = scores(("m", "nq", "test", 0.7), ("m", "fiqa", "test", 0.1), ("m", "nq", "test", 0.71))
    with pytest.raises(ScoresFileError) as caught:
        tabulate(rows)
    assert str(caught.value) == (
        "every model contradicts itself:\n"
        "m gives two values for nDCG@10 of nq@test: 0.7 at file:2 and 0.71 at file:4"
    )


def test_a_model_that_contradicts_itself_is_set_aside_and_the_others_stay() -> None:
    rows = scores(("m", "nq", "test", 0.7), ("m", "nq", "test", 0.71), ("n", "nq", "test", 0.5))
    table = tabulate(rows)
    assert table.scores == {"n": {"nq@test": 0.5}}
    assert list(table.contradictory) == ["m"]


def test_datasets_of_different_revisions_are_told_with_their_models() -> None:
    rows = [
        Score(model, "nq", "test", "nDCG@10", 0.5, "file", revision)
        for model, revision in (("a", "r1"), ("b", "r2"), ("c", "r2"), ("d", ""))
    ]
    rows += [Score("a", "fiqa", "test", "nDCG@10", 0.5, "file", "r1")]
    assert tabulate(rows).revisions == {"nq@test": {"r1": 1, "r2": 2}}


def test_two_revisions_of_a_dataset_explain_a_contradiction() -> None:
    rows = [
        Score("m", "nq", "test", "nDCG@10", value, revision, revision)
        for value, revision in ((0.5, "r1"), (0.6, "r2"))
    ]
    with pytest.raises(ScoresFileError, match=r"\(dataset revisions r1 and r2\)"):
        tabulate(rows)


def test_twelve_forums_are_cqadupstack_as_their_unweighted_mean() -> None:
    rows = [("m", f"cqadupstack/{name}", "test", i / 20) for i, name in enumerate(FORUMS)]
    table = tabulate(scores(*rows))
    assert table.scores == {"m": {"cqadupstack@test": pytest.approx(0.275)}}
    assert table.aside == {}


def test_eleven_forums_are_nothing() -> None:
    rows = [("m", f"cqadupstack/{name}", "test", 0.5) for name in FORUMS[1:]]
    table = tabulate(scores(*rows, ("m", "nq", "test", 0.5)))
    assert table.scores == {"m": {"nq@test": 0.5}}
    assert len(table.aside) == 11


def test_a_forum_is_aside_unless_all_models_that_report_it_have_the_whole() -> None:
    rows = [("m", f"cqadupstack/{name}", "test", 0.5) for name in FORUMS]
    table = tabulate(scores(*rows, ("n", f"cqadupstack/{FORUMS[0]}", "test", 0.5)))
    assert table.scores == {"m": {"cqadupstack@test": 0.5}}
    assert table.aside == {f"cqadupstack/{FORUMS[0]}@test": ("m", "n")}


@pytest.mark.parametrize(("whole", "agrees"), [(0.5004, True), (0.52, False)])
def test_a_reported_whole_must_agree_with_its_forums(whole: float, agrees: bool) -> None:
    rows = [("m", f"cqadupstack/{name}", "test", 0.5) for name in FORUMS]
    rows.append(("m", "cqadupstack", "test", whole))
    if agrees:
        assert tabulate(scores(*rows)).scores == {"m": {"cqadupstack@test": whole}}
    else:
        with pytest.raises(ScoresFileError, match="the mean of its 12 forums"):
            tabulate(scores(*rows))


def test_metrics_are_never_mixed() -> None:
    rows = scores(("m", "nq", "test", 0.7)) + scores(
        ("m", "fiqa", "test", 0.9), metric="nDCG@10(binary)"
    )
    table = tabulate(rows)
    assert table.metric == "nDCG@10"
    assert table.scores == {"m": {"nq@test": 0.7}}
    assert table.others == {"nDCG@10(binary)": 1}
    assert tabulate(rows, "nDCG@10(binary)").scores == {"m": {"fiqa@test": 0.9}}


def test_without_ndcg_the_only_metric_is_taken_and_of_several_none() -> None:
    one = scores(("m", "nq", "test", 0.7), metric="R@100")
    assert tabulate(one).metric == "R@100"
    with pytest.raises(ScoresFileError, match="several metrics, which cannot be averaged"):
        tabulate(one + scores(("m", "nq", "test", 0.7), metric="map"))
    with pytest.raises(ScoresFileError, match="no score of the metric 'R@10'; did you mean"):
        tabulate(one, "R@10")


@pytest.mark.parametrize(("off", "agrees"), [(0.001, True), (0.0012, False)])
def test_it_may_differ_by_what_rounding_to_three_decimals_explains(
    off: float, agrees: bool
) -> None:
    rows = [("m", f"cqadupstack/{name}", "test", 0.5) for name in FORUMS]
    rows.append(("m", "cqadupstack", "test", 0.5 + off))
    found = tabulate(scores(*rows)) if agrees else None
    assert (found is not None) is agrees
    if not agrees:
        with pytest.raises(ScoresFileError, match="the mean of its 12 forums"):
            tabulate(scores(*rows))
