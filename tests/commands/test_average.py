"""`pytest-beir average` never shows an average without the set it is over."""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING

import pytest

from pytest_beir.commands import average

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str]]

HEADER = "model,dataset,split,metric,value\n"
SET_ID = re.compile(r"\b[0-9a-f]{12}\b")
NUMBER = re.compile(r"(?<![\w.])\.\d{3,4}\b")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "400")
    parser = argparse.ArgumentParser()
    average.register(parser.add_subparsers())

    def run(*words: object) -> tuple[int, str]:
        args = parser.parse_args(["average", *map(str, words)])
        status = args.run(args)
        return status, capsys.readouterr().out

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(
        HEADER + "a,nq,test,nDCG@10,0.5\na,fiqa,test,nDCG@10,0.5\na,quora,test,nDCG@10,0.9\n"
        "b,nq,test,nDCG@10,0.6\nb,fiqa,test,nDCG@10,0.6\nb,msmarco,test,nDCG@10,0.7\n"
        "c,nq,test,nDCG@10,0.3\nc,scifact,test,nDCG@10,0.3\nd,nq,test,nDCG@10(binary),0.1\n"
        "e,nfcorpus,test,nDCG@10(binary),0.1\n",
        "utf-8",
    )
    return path


def test_json_has_sets_models_and_reversals(run: Run, small: Path) -> None:
    status, out = run(small, "--json")
    found = json.loads(out)
    assert status == 0
    assert found["models"] == 3
    assert [(each["members"], each["models"]) for each in found["sets"]] == [
        (["fiqa@test", "nq@test", "quora@test"], ["a"]),
        *sorted(
            [(["fiqa@test", "nq@test"], ["b"]), (["nq@test", "scifact@test"], ["c"])],
            key=lambda each: next(s["id"] for s in found["sets"] if s["models"] == each[1]),
        ),
    ]
    (reversal,) = found["reversals"]
    assert (reversal["a"], reversal["b"]) == ("a", "b")
    assert reversal["raw"] == [pytest.approx(1.9 / 3), pytest.approx(0.6)]
    assert reversal["common"] == [pytest.approx(0.5), pytest.approx(0.6)]
    by_id = {each["id"]: each for each in found["sets"]}
    assert by_id[reversal["set"]]["members"] == ["fiqa@test", "nq@test"]
    assert [by_id[each]["models"] for each in reversal["raw_sets"]] == [["a"], ["b"]]
    assert found["aside"] == {"msmarco@test": ["b"]}
    assert found["reversals_elsewhere"] == []


def test_a_pair_whose_shared_datasets_are_nobodys_set_brings_its_members(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "scores.csv"
    rows = {
        "a": {"nq": 0.5, "fiqa": 0.5, "quora": 0.9},
        "b": {"nq": 0.6, "fiqa": 0.6, "scifact": 0.1},
    }
    path.write_text(
        HEADER
        + "".join(
            f"{model},{dataset},test,nDCG@10,{value}\n"
            for model, values in rows.items()
            for dataset, value in values.items()
        ),
        "utf-8",
    )
    found = json.loads(run(path, "--json")[1])
    assert found["reversals"] == []
    (elsewhere,) = found["reversals_elsewhere"]
    assert elsewhere["members"] == ["fiqa@test", "nq@test"]


def test_every_average_on_the_terminal_has_its_set_in_its_line(run: Run, small: Path) -> None:
    _, out = run(small)
    lines = [line for line in out.splitlines() if NUMBER.search(line)]
    assert lines
    for line in lines:
        assert SET_ID.search(line), line


def test_models_are_ranked_within_the_set_that_most_cover(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    scores = {"mid": (0.4, 0.6), "best": (0.9, 0.7), "worst": (0.1, 0.2)}
    rows = [
        f"{model},{dataset},test,nDCG@10,{value}\n"
        for model, values in scores.items()
        for dataset, value in zip(("nq", "fiqa"), values, strict=True)
    ]
    path.write_text(HEADER + "".join(rows), "utf-8")
    status, out = run(path)
    assert status == 0
    ranked = [line.split() for line in out.splitlines() if line.split()[:1] == ["1"]]
    assert ranked, out
    places = [out.index(f"{model} ") for model in ("best", "mid", "worst")]
    assert places == sorted(places)
    shown = [next(line for line in out.splitlines() if f" {model} " in line) for model in scores]
    for line, mean in zip(shown, (".500", ".800", ".150"), strict=True):
        assert mean in line


def test_what_cannot_be_compared_is_named(run: Run, small: Path) -> None:
    _, out = run(small)
    assert "in no set, being another split or a part: msmarco@test (1 model)" in out
    assert "2 pairs of models share fewer than two datasets" in out
    assert "2 rows of nDCG@10(binary) left aside: nDCG@10 and nDCG@10(binary) are different" in out


def test_another_metric_is_averaged_only_when_asked_for(run: Run, small: Path) -> None:
    found = json.loads(run(small, "--json", "--metric=ndcg@10(binary)")[1])
    assert found["metric"] == "nDCG@10(binary)"
    assert found["models"] == 2


def test_several_files_are_one_table(run: Run, small: Path, tmp_path: Path) -> None:
    other = tmp_path / "own.csv"
    other.write_text(HEADER + "own,nq,test,nDCG@10,0.4\n", "utf-8")
    assert json.loads(run(small, other, "--json")[1])["models"] == 4
    other.write_text(HEADER + "a,nq,test,nDCG@10,0.4\n", "utf-8")
    status, out = run(small, other)
    assert status == 0
    assert "set aside, contradicting itself: 1 model" in out
    assert f"a gives two values for nDCG@10 of nq@test: 0.5 at {small}:2 and 0.4 at {other}" in out
    assert list(json.loads(run(small, other, "--json")[1])["contradictory"]) == ["a"]


def test_many_sets_and_members_stay_within_a_page(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    rows = [
        f"m{model},d{number},test,nDCG@10,0.5\n"
        for model in range(60)
        for number in range(model, 200)
    ]
    path.write_text(HEADER + "".join(rows), "utf-8")
    out = run(path)[1]
    assert len(out.splitlines()) < 60
    assert max(map(len, out.splitlines())) < 400
    assert "and 50 smaller sets (--limit, --json)" in out


def test_revisions_of_datasets_are_named(run: Run, tmp_path: Path) -> None:
    for model, revision in (("org__A", "aaaa"), ("org__B", "bbbb")):
        for task in ("SciFact", "NFCorpus"):
            path = tmp_path / "results" / model / "r1" / f"{task}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            part = {"ndcg_at_10": 0.5, "hf_subset": "default"}
            content = {"task_name": task, "dataset_revision": revision, "scores": {"test": [part]}}
            path.write_text(json.dumps(content), "utf-8")
    out = run(tmp_path / "results")[1]
    assert (
        "scifact@test was measured on different revisions of the dataset, aaaa (1 model),"
        " bbbb (1 model)" in out
    )


def test_a_file_without_official_splits_prints_no_ranking(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(HEADER + "m,msmarco,test,nDCG@10,0.7\n", "utf-8")
    _, out = run(path)
    assert "without any score on an official split: m" in out
    assert not NUMBER.search(out)


def test_the_published_mteb_scores_give_113_models_on_mteb_15(run: Run, shared_data: Path) -> None:
    found = json.loads(run(shared_data / "published_mteb_ndcg10.csv", "--json")[1])
    assert found["models"] == 391
    assert len(found["sets"]) == 53
    (whole,) = [each for each in found["sets"] if each["name"] == "mteb-15"]
    assert len(whole["models"]) == 113
    assert "msmarco@dev" in whole["members"]
    known = {each["id"] for each in found["sets"]}
    assert {each["set"] for each in found["reversals"]} <= known
    assert {one for each in found["reversals"] for one in each["raw_sets"]} <= known
    for each in found["reversals"]:
        assert (each["raw"][0] - each["raw"][1]) * (each["common"][0] - each["common"][1]) < 0


def test_no_line_on_the_published_scores_bears_a_bare_average(run: Run, shared_data: Path) -> None:
    _, out = run(shared_data / "published_mteb_ndcg10.csv", "--limit=1000000")
    lines = [line for line in out.splitlines() if NUMBER.search(line)]
    assert len(lines) > 3000
    assert all(SET_ID.search(line) for line in lines)
    assert "113 of 391 models cover mteb-15" in out


def test_a_wide_table_is_of_the_metric_that_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("model,nq,fiqa\na,0.5,0.6\nb,0.7,0.8\n", "utf-8")
    named = json.loads(run(path, "--wide", "--metric=R@100", "--json")[1])
    plain = json.loads(run(path, "--wide", "--json")[1])
    assert (named["metric"], plain["metric"]) == ("R@100", "nDCG@10")
