"""The documents to judge, as files that the dataset's own folder can take in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.evaluation.result import failed
from pytest_beir.explanation.explain import Explanation
from pytest_beir.explanation.pool import UnjudgedPair
from pytest_beir.reports import to_judge
from pytest_beir.reports.story import compose

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_beir.evaluation.result import Evaluation
    from tests.reports.conftest import Factory


def evaluation(*queries: str, members: tuple[str, ...] = ()) -> Evaluation:
    rows = tuple(UnjudgedPair(query, "d1", 1, None) for query in queries)
    identity = DatasetIdentity("forums", "test", 1, 1, 1, Fingerprints("a", "b", "c"), members)
    return replace(
        failed("bm25", "forums", "test", ""),
        explanation=Explanation(to_judge=rows),
        identity=identity,
    )


def files(make: Factory, found: Evaluation) -> Mapping[str, str]:
    return to_judge.files(compose(make.run(found)))


def test_a_dataset_has_one_file(make: Factory) -> None:
    assert files(make, evaluation("q1", "q2/a")) == {
        "to-judge/bm25/forums.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t\nq2/a\td1\t\n"
    }


def test_each_part_of_a_divided_dataset_has_a_file_with_its_own_ids(make: Factory) -> None:
    found = evaluation("android/q1", "tex/q1", "android/q2/a", members=("android", "tex"))
    assert files(make, found) == {
        "to-judge/bm25/forums/android.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t\nq2/a\td1\t\n",
        "to-judge/bm25/forums/tex.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t\n",
    }


def test_nothing_to_judge_is_no_file(make: Factory) -> None:
    assert files(make, evaluation()) == {}
