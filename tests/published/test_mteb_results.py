"""MTEB's result folders give nDCG@10 by model, revision and split."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pytest_beir.errors import ScoresFileError
from pytest_beir.published.mteb_results import read_mteb_results, read_mteb_task
from pytest_beir.published.sources import read_scores

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_beir.published.score import Reading


@pytest.fixture
def add(tmp_path: Path) -> Callable[..., Path]:
    def add(task: str, scores: object, *, folder: str = "org__model/abc") -> Path:
        path = tmp_path / "results" / folder / f"{task}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"task_name": task, "scores": scores}), "utf-8")
        return path

    return add


def part(value: float, **more: str) -> dict[str, object]:
    return {"hf_subset": "default", "main_score": value, "ndcg_at_10": value, **more}


def summary(reading: Reading) -> list[tuple[str, str, str, float]]:
    return [(s.model, s.dataset, s.split, s.value) for s in reading.scores]


def test_every_split_of_every_task_is_read(add: Callable[..., Path], tmp_path: Path) -> None:
    add("MSMARCO", {"dev": [part(0.4)], "test": [part(0.7)]})
    add("SciFact", {"test": [part(0.6)]}, folder="org__model/def")
    assert summary(read_mteb_results(tmp_path / "results")) == [
        ("org/model@abc", "msmarco", "dev", 0.4),
        ("org/model@abc", "msmarco", "test", 0.7),
        ("org/model@def", "scifact", "test", 0.6),
    ]


def test_a_folder_of_results_may_stand_among_other_sources(
    add: Callable[..., Path], tmp_path: Path
) -> None:
    path = add("SciFact", {"test": [part(0.6)]})
    (tmp_path / "own.csv").write_text(
        "model,dataset,split,metric,value\nmine,scifact,test,nDCG@10,.5\n"
    )
    found = summary(read_scores([tmp_path / "own.csv", tmp_path / "results"]))
    assert found == [("mine", "scifact", "test", 0.5), ("org/model@abc", "scifact", "test", 0.6)]
    assert [score.value for score in read_scores([path]).scores] == [0.6]


@pytest.mark.parametrize("below", ["results", "results/org__model", "results/org__model/abc"])
def test_one_models_folder_and_one_revisions_folder_serve_as_well(
    add: Callable[..., Path], tmp_path: Path, below: str
) -> None:
    add("SciFact", {"test": [part(0.6)]})
    assert summary(read_mteb_results(tmp_path / below)) == [
        ("org/model@abc", "scifact", "test", 0.6)
    ]


def test_a_revisions_folder_may_be_where_the_command_runs(
    add: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = add("SciFact", {"test": [part(0.6)]})
    monkeypatch.chdir(path.parent)
    assert read_mteb_results(path.parent.relative_to(path.parent)).scores[0].model == (
        "org/model@abc"
    )


def test_the_models_own_description_names_it(add: Callable[..., Path], tmp_path: Path) -> None:
    path = add("SciFact", {"test": [part(0.6)]})
    (path.parent / "model_meta.json").write_text(
        json.dumps({"name": "Org/Model__X", "revision": "r1"}), "utf-8"
    )
    assert read_mteb_results(tmp_path).scores[0].model == "Org/Model__X@r1"


def test_ndcg_wins_over_the_main_score(add: Callable[..., Path]) -> None:
    path = add("SciFact", {"test": [{"main_score": 0.9, "ndcg_at_10": 0.6}]})
    assert read_mteb_task(path).scores[0].value == 0.6


def test_the_main_score_serves_for_known_retrieval_tasks_only(
    add: Callable[..., Path], tmp_path: Path
) -> None:
    add("SciFact", {"test": [{"main_score": 0.6}]})
    add("Banking77Classification", {"test": [{"main_score": 0.8}]})
    reading = read_mteb_results(tmp_path)
    assert [score.dataset for score in reading.scores] == ["scifact"]
    assert reading.notes == ("1 task without nDCG@10 left aside: Banking77Classification",)


def test_the_older_form_of_the_files_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m" / "r" / "NFCorpus.json"
    path.parent.mkdir(parents=True)
    old = {"mteb_dataset_name": "NFCorpus", "mteb_version": "1.1", "test": {"ndcg_at_10": 0.3}}
    path.write_text(json.dumps(old), "utf-8")
    assert summary(read_mteb_results(tmp_path)) == [("m@r", "nfcorpus", "test", 0.3)]


def test_subsets_of_a_task_are_datasets_of_their_own(
    add: Callable[..., Path], tmp_path: Path
) -> None:
    add("BelebeleRetrieval", {"test": [part(0.1, hf_subset="deu"), part(0.2, hf_subset="fra")]})
    assert [score.dataset for score in read_mteb_results(tmp_path).scores] == [
        "BelebeleRetrieval/deu",
        "BelebeleRetrieval/fra",
    ]


def test_a_score_out_of_range_names_file_and_split(
    add: Callable[..., Path], tmp_path: Path
) -> None:
    path = add("SciFact", {"test": [part(61.5)]})
    with pytest.raises(ScoresFileError) as caught:
        read_mteb_results(tmp_path)
    assert str(caught.value).startswith(f"{path}: split 'test': 61.5 lies above 1")


def test_malformed_json_names_file_and_line(add: Callable[..., Path], tmp_path: Path) -> None:
    path = add("SciFact", {})
    path.write_text('{"task_name": "SciFact",\n "scores": {', "utf-8")
    with pytest.raises(ScoresFileError, match=r"SciFact\.json:2: malformed JSON"):
        read_mteb_results(tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"task_name": "SciFact\\ud800", "scores": {}}', "half of a surrogate pair"),
        ('{"task_name": "SciFact", "scores": ' + "[" * 100_000, "nested more than 100 deep"),
        ('{"task_name": "SciFact", "scores": {"test": [{"ndcg_at_10": 9e999}]}}', "inf is not"),
    ],
)
def test_hostile_files_are_one_error(
    add: Callable[..., Path], tmp_path: Path, content: str, words: str
) -> None:
    add("SciFact", {}).write_text(content, "utf-8")
    with pytest.raises(ScoresFileError, match=words):
        read_mteb_results(tmp_path)


def test_a_folder_without_results_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ScoresFileError, match=r"<model>/<revision>/<Task>\.json"):
        read_mteb_results(tmp_path)


def test_an_experiment_is_a_model_of_its_own(add: Callable[..., Path], tmp_path: Path) -> None:
    add("SciFact", {"test": [part(0.6)]})
    add("SciFact", {"test": [part(0.7)]}, folder="org__model/abc/experiments/dim_256")
    meta = {"name": "Org/Model", "revision": "r1"}
    for folder in ("abc", "abc/experiments/dim_256"):
        path = tmp_path / "results" / "org__model" / folder / "model_meta.json"
        path.write_text(json.dumps(meta), "utf-8")
    assert summary(read_mteb_results(tmp_path / "results")) == [
        ("Org/Model@r1", "scifact", "test", 0.6),
        ("Org/Model@r1 (dim_256)", "scifact", "test", 0.7),
    ]


@pytest.mark.parametrize("task", ["AskUbuntuDupQuestions", "AlloprofReranking", "SciDocsRR"])
def test_reranking_tasks_are_left_aside_and_named(
    add: Callable[..., Path], tmp_path: Path, task: str
) -> None:
    add("SciFact", {"test": [part(0.6)]})
    add(task, {"test": [part(0.7)]})
    reading = read_mteb_results(tmp_path / "results")
    assert [score.dataset for score in reading.scores] == ["scifact"]
    assert reading.notes == (
        f"1 reranking task left aside, whose nDCG@10 is over given candidates: {task}",
    )
