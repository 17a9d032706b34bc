"""Two rankings of a query side by side, and the queries that lost most."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import UsageError
from pytest_beir.scoring.scorer import score
from pytest_beir.stored_results.query_view import ComparedScores, one_query, worst

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.text_layout import Line

TEXTS = {"q1": "first query", "q2": "second query", "q3": "third query", "q4": "fourth query"}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """Four queries, of which each has a document of its own, and q1 a second one."""
    (tmp_path / "qrels").mkdir()
    documents = [{"_id": f"d{n}", "title": "", "text": f"text  of {n}"} for n in range(1, 6)]
    documents[0]["title"] = "One"
    queries = [{"_id": query, "text": text} for query, text in TEXTS.items()]
    for name, records in (("corpus", documents), ("queries", queries)):
        lines = "".join(json.dumps(each) + "\n" for each in records)
        (tmp_path / f"{name}.jsonl").write_text(lines)
    rows = ["q1\td1\t2", "q1\td5\t1", "q1\td2\t0", "q2\td2\t1", "q3\td3\t1", "q4\td4\t1"]
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"{row}\n" for row in rows)
    )
    return load_dataset(tmp_path, name="docs", cache_dir=tmp_path / "cache")


@pytest.fixture
def compared(dataset: Dataset) -> ComparedScores:
    """q1 loses a little, q2 everything, q3 wins, q4 is answered by nobody."""
    before = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d2": 1.0}, "q3": {"d9": 2.0, "d3": 1.0}}
    now = {"q1": {"d9": 3.0, "d1": 2.0, "d2": 1.0}, "q2": {"d9": 1.0}, "q3": {"d3": 1.0}}
    sides = [score(dataset.qrels, run, ["nDCG@10"]) for run in (before, now)]
    return ComparedScores(("old", "new"), (sides[0], sides[1]), ["nDCG@10"], dataset)


def told(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines]


def test_losses_are_the_largest_first_and_gains_are_none(compared: ComparedScores) -> None:
    changes = compared.losses()
    assert [query for _, query in changes] == ["q2", "q1"]
    assert changes[0][0] == -1.0
    # Gains 2/log2(r + 1), of an ideal of 2 + 1/log2(3): from rank 1 to rank 2.
    assert changes[1][0] == pytest.approx((2 / 1.5849625 - 2) / (2 + 1 / 1.5849625))


def test_the_worst_are_listed_up_to_a_number(compared: ComparedScores) -> None:
    lines = told(worst(compared, 1, texts=True, ascii=False))
    assert lines == [
        "nDCG@10: 2 of 4 queries worse",
        "1.000 → .000 −1.000  q2  second query",
        "and 1 more",
        "Look at one with --query=q2",
    ]
    every = told(worst(compared, 2, texts=False, ascii=False))
    assert every[1] == "1.000 → .000 −1.000  q2"
    assert len(every) == 4
    assert not [line for line in every if "more" in line]


def test_without_losses_there_is_nothing_to_look_at(compared: ComparedScores) -> None:
    same = ComparedScores(("a", "b"), (compared.scores[0],) * 2, ["nDCG@10"])
    assert told(worst(same, 5, texts=True, ascii=False)) == ["nDCG@10: 0 of 4 queries worse"]


def test_a_query_shows_both_rankings_grades_and_where_the_relevant_are(
    compared: ComparedScores,
) -> None:
    lines = told(one_query(compared, "q1", texts=True, ascii=False))
    rows = [line.split() for line in lines]
    assert lines[0] == "q1: first query"
    assert rows[1][:4] == ["nDCG@10", ".760", "→", ".480"]
    assert rows[3] == ["A", "old", "B", "new"]
    assert rows[4:7] == [
        ["1", "[2]", "d1", "[", "]", "d9"],
        ["2", "[0]", "d2", "[2]", "d1"],
        ["3", "[0]", "d2"],
    ]
    assert "2 relevant documents" in lines
    assert lines[-2:] == ["[2] d1: 1 → 2  One", "[1] d5: beyond 100 → beyond 100  text of 5"]
    hidden = told(one_query(compared, "q1", texts=False, ascii=False))
    assert hidden[0] == "q1"
    assert hidden[-2] == "[2] d1: 1 → 2"


def test_only_where_both_answer_nothing_it_is_said(compared: ComparedScores) -> None:
    nothing = "neither side answers this query"
    assert nothing in told(one_query(compared, "q4", texts=True, ascii=False))
    half = {"q1": {"d1": 1.0}}
    assert compared.dataset is not None
    one = score(compared.dataset.qrels, half, ["nDCG@10"])
    for sides in ((compared.scores[0], one), (one, compared.scores[0])):
        lines = one_query(
            ComparedScores(("a", "b"), sides, ["nDCG@10"]), "q2", texts=True, ascii=False
        )
        assert nothing not in told(lines)


def test_without_the_data_a_mark_says_what_is_judged(compared: ComparedScores) -> None:
    apart = ComparedScores(compared.labels, compared.scores, compared.metrics)
    lines = told(one_query(apart, "q1", texts=True, ascii=False))
    assert lines[0] == "q1"
    assert [line.split() for line in lines[4:7]] == [
        ["1", "[j]", "d1", "[", "]", "d9"],
        ["2", "[j]", "d2", "[j]", "d1"],
        ["3", "[j]", "d2"],
    ]
    assert not [line for line in lines if "relevant" in line]


def test_an_unknown_query_is_refused_with_one_that_is_like_it(compared: ComparedScores) -> None:
    with pytest.raises(UsageError, match=r"--query=q11: no judged query .*did you mean 'q1'"):
        one_query(compared, "q11", texts=True, ascii=False)
