"""The documents to judge, as files that the dataset's own folder can take in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.evaluation.result import failed
from pytest_beir.explanation.explain import Explanation
from pytest_beir.explanation.pool import UnjudgedPair
from pytest_beir.reports import to_judge

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.evaluation.result import Evaluation


def evaluation(*queries: str, members: tuple[str, ...] = ()) -> Evaluation:
    rows = tuple(UnjudgedPair(query, "d1", 1, None) for query in queries)
    identity = DatasetIdentity("forums", "test", 1, 1, 1, Fingerprints("a", "b", "c"), members)
    return replace(
        failed("bm25", "forums", "test", ""),
        explanation=Explanation(to_judge=rows),
        identity=identity,
    )


def test_a_dataset_has_one_file(tmp_path: Path) -> None:
    (path,) = to_judge.write(tmp_path, evaluation("q1", "q2/a"))
    assert path == tmp_path / "to-judge/bm25/forums.tsv"
    assert path.read_text() == "query-id\tcorpus-id\tscore\nq1\td1\t\nq2/a\td1\t\n"


def test_each_part_of_a_divided_dataset_has_a_file_with_its_own_ids(tmp_path: Path) -> None:
    found = evaluation("android/q1", "tex/q1", "android/q2/a", members=("android", "tex"))
    paths = to_judge.write(tmp_path, found)
    home = tmp_path / "to-judge/bm25/forums"
    assert paths == (home / "android.tsv", home / "tex.tsv")
    assert paths[0].read_text() == "query-id\tcorpus-id\tscore\nq1\td1\t\nq2/a\td1\t\n"
    assert paths[1].read_text() == "query-id\tcorpus-id\tscore\nq1\td1\t\n"


def test_nothing_to_judge_is_no_file(tmp_path: Path) -> None:
    assert to_judge.write(tmp_path, evaluation()) == ()
    assert not list(tmp_path.iterdir())
