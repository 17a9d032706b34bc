"""`pytest-beir merge`."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.commands.conftest import Workshop

if TYPE_CHECKING:
    from tests.commands.conftest import Canned, Ranks

SHARDS = (("one", ["a", "d"]), ("two", ["b", "e"]), ("three", ["c", "f"]))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Six datasets with baselines, one of which weighs three times, and the shards of one job."""
    workshop = Workshop(tmp_path_factory.mktemp("prepared"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CI", raising=False)
        patch.chdir(workshop.path)
        for name in "abcdef":
            workshop.dataset(name, weight=3.0 if name == "d" else 1.0)
            workshop.store(name)
        for name, only in SHARDS:
            workshop.job(f"shards/{name}", only=only)
    return workshop


@pytest.fixture
def suite(workshop: Workshop, prepared: Workshop) -> Workshop:
    """The prepared project, without its shards."""
    without = shutil.ignore_patterns("shards", "cache")
    shutil.copytree(prepared.path, workshop.path, dirs_exist_ok=True, ignore=without)
    return replace(workshop, names=prepared.names[:], weights=dict(prepared.weights))


@pytest.fixture
def sharded(suite: Workshop, prepared: Workshop) -> Workshop:
    """The same with its shards, which pass."""
    for name, _ in SHARDS:
        shutil.copytree(prepared.path / "shards" / name, suite.path / name)
    return suite


@pytest.fixture
def ranks(dropped: Ranks) -> dict[str, Ranks]:
    """`b` regresses, `c` loses a little."""
    return {"b": dropped, "c": {"q00": 2}}


def _shards(suite: Workshop, ranks: dict[str, Ranks]) -> None:
    for name, only in SHARDS:
        suite.job(name, ranks, only=only)


def test_shards_that_pass_exit_0_and_the_average_is_tested(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    _shards(suite, {"c": {"q00": 2}})
    assert suite.run("merge", "one", "two", "three", "--report", "merged") == 0
    merged = suite.report("merged")
    assert [each["dataset"] for each in merged["results"]] == list("abcdef")
    assert [each["set"]["members"] for each in merged["averages"] if each["gated"]] == [
        [f"{name}@test" for name in "abcdef"]
    ]
    assert merged["averages"][0]["verdict"] is not None
    assert merged["suite"]["selected"] == list("abcdef")
    assert merged["did_not_run"] == []
    assert "BEIR: 5 passed, 0 regressed, 0 improved, 1 cannot tell" in capsys.readouterr().out


def test_what_only_the_average_shows_exits_1(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    _shards(suite, {name: {f"q0{number}": 2 for number in range(4)} for name in "abcdef"})
    assert suite.run("merge", "one", "two", "three", "--report", "merged") == 1
    merged = suite.report("merged")
    assert all(each["passed"] for each in merged["results"])
    assert merged["averages"][0]["verdict"] == "regressed"
    assert "1 regressed average" in capsys.readouterr().out


LOST = "two/conftest.py names a retriever, but its import did not finish"


@pytest.mark.parametrize(
    ("status", "failures", "told"),
    [
        ("running", [], "two: its run was killed before its end"),
        ("incomplete", [], "two: its run was cut off before its end"),
        ("incomplete", ["the run was interrupted"], "two: the run was interrupted"),
        ("failed", [LOST], f"two: {LOST}"),
    ],
)
def test_a_shard_whose_run_did_not_end_well_fails_and_is_named(
    sharded: Workshop,
    capsys: pytest.CaptureFixture[str],
    status: str,
    failures: list[str],
    told: str,
) -> None:
    file = sharded.path / "two" / "beir.json"
    shard = {**json.loads(file.read_text()), "status": status, "failures": failures}
    file.write_text(json.dumps(shard))
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    assert told in " ".join(capsys.readouterr().out.split())
    merged = sharded.report("merged")
    assert merged["status"] == "failed"
    assert any(each.endswith(told) for each in merged["failures"])
    assert "FAILED" in (sharded.path / "merged" / "beir.md").read_text()


def test_a_missing_shard_is_named(
    sharded: Workshop, ranks: dict[str, Ranks], capsys: pytest.CaptureFixture[str]
) -> None:
    assert sharded.run("merge", "one", "three", "--report", "merged") == 1
    assert "missing: canned has no result for b and e" in capsys.readouterr().out
    merged = sharded.report("merged")
    assert [each["dataset"] for each in merged["did_not_run"]] == ["b", "e"]
    assert merged["did_not_run"][0]["reason"] == "no shard holds it"
    assert "b and e did not run" in merged["averages"][0]["withheld"]


def test_shards_in_which_nothing_ran_are_never_green(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("one", only=[], retrievers=())
    suite.job("two", only=[], retrievers=())
    assert suite.run("merge", "one", "two", "--report", "merged") == 1
    assert "missing: no shard has a result of any dataset" in capsys.readouterr().out


def test_a_shard_without_a_report_is_named(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sharded.run("merge", "one", "two", "four", "--report", "merged") == 1
    assert f"four{os.sep}beir.json: cannot be read" in capsys.readouterr().err


def test_a_shard_of_another_suite_is_foreign_and_the_difference_is_named(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    sharded.config("gate: {margin: 0.03}")
    sharded.job("three", only=["c", "f"])
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    error = capsys.readouterr().err
    assert "three is foreign: its suite is" in error
    assert "gate.margin is 0.03, not 0.02" in error
    assert not (sharded.path / "merged").exists()


def test_another_set_of_datasets_or_another_weight_is_another_suite(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    sharded.weights["a"] = 2.0
    sharded.config()
    sharded.job("three", only=["c", "f"])
    sharded.names.remove("e")
    sharded.config()
    sharded.job("two", only=["b"])
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    error = capsys.readouterr().err
    assert "three is foreign" in error
    assert "a has another split, weight" in error
    assert "it does not declare e" in error


def test_a_shard_of_another_commit_is_foreign(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    sharded.job("two", only=["b", "e"], commit="def5678")
    assert sharded.run("merge", "two", "one", "three", "--report", "merged") == 1
    assert "two is foreign: its commit is def5678, that of one abc1234" in capsys.readouterr().err


def test_a_shard_of_another_version_of_the_retriever_is_foreign(
    sharded: Workshop, make_retriever: type[Canned], capsys: pytest.CaptureFixture[str]
) -> None:
    sharded.job("two", only=["b", "e"], retrievers=[make_retriever({}, version="2")])
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    assert "two is foreign: its version of canned is 2, that of one 1" in capsys.readouterr().err


def test_equal_results_for_one_key_are_taken_once(sharded: Workshop) -> None:
    sharded.job("two", only=["a", "b", "e"])
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 0
    assert len(sharded.report("merged")["results"]) == 6


def test_contradicting_shards_are_named(
    sharded: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    sharded.job("two", {"a": dropped}, only=["a", "b", "e"])
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    error = capsys.readouterr().err
    assert "two contradicts one: canned on a is regressed" in error


def test_scores_of_another_run_beside_a_report_are_refused(
    sharded: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    old = (sharded.path / "two" / "beir.json").read_text()
    sharded.job("two", {"b": dropped}, only=["b", "e"])
    (sharded.path / "two" / "beir.json").write_text(old)
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    assert "two: canned on b: the scores in scores/ are not those of" in capsys.readouterr().err


def test_a_report_without_its_scores_is_refused(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (sharded.path / "two" / "scores" / "canned").iterdir():
        path.unlink()
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    assert "copy the whole folder of a report" in capsys.readouterr().err


def test_other_baselines_than_the_shards_used_are_refused(
    sharded: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in sharded.names:
        sharded.store(name, dropped if name == "b" else None, folder="elsewhere")
    arguments = ["merge", "one", "two", "three", "--report", "merged"]
    assert sharded.run(*arguments, "--baselines", "elsewhere") == 1
    assert "two: canned on b was compared with another baseline" in capsys.readouterr().err
    assert sharded.run(*arguments, "--baselines", "baselines") == 0


def test_an_edited_suite_is_refused(sharded: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    sharded.edit("two", '"margin": 0.02', '"margin": 0.5')
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    assert "the suite's id does not fit" in capsys.readouterr().err


def test_an_error_of_a_shard_stays_one_and_the_average_names_it(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    sharded.job("two", {"b": None}, only=["b", "e"])
    assert sharded.run("merge", "one", "two", "three", "--report", "merged") == 1
    merged = sharded.report("merged")
    assert merged["results"][1]["verdict"] == "error"
    assert merged["averages"][0]["withheld"] == "b ended in an error"
    assert "the search raised ValueError: oh" in capsys.readouterr().out


def test_a_dataset_measured_on_different_data_in_two_shards_is_refused(
    suite: Workshop, make_retriever: type[Canned], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = make_retriever({}, name="first"), make_retriever({}, name="second")
    suite.job("left", retrievers=[first])
    with (suite.path / "data" / "c" / "corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id": "new", "title": "", "text": "new"}\n')
    suite.job("right", retrievers=[second])
    assert suite.run("merge", "left", "right", "--report", "merged") == 1
    error = capsys.readouterr().err
    assert "the c that second was measured on is not the c of first in left" in error
    assert "corpus" in error


def test_two_retrievers_keep_their_families(suite: Workshop, make_retriever: type[Canned]) -> None:
    both = [make_retriever({}), make_retriever({}, name="other", trained_on=("a",))]
    for name in suite.names:
        suite.store(name, retriever="other")
    suite.job("whole", {"b": {"q00": 2}}, retrievers=both)
    for name, only in SHARDS:
        suite.job(name, {"b": {"q00": 2}}, only=only, retrievers=both)
    assert suite.run("merge", "one", "two", "three", "--report", "merged") == 0
    assert suite.report("merged") == suite.report("whole")


def test_flags_that_are_declared_strict_fail(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["merge", "one", "two", "three", "--report", "merged"]
    (sharded.path / "baselines" / "canned" / "zzz.yaml").write_text("")
    assert sharded.run(*arguments) == 0
    assert sharded.run(*arguments, "--strict=unused-baseline") == 1
    out = " ".join(capsys.readouterr().out.split())
    assert out.count("strict: unused-baseline: canned/zzz is stored") == 1
    assert sharded.run(*arguments, "--strict=unusedbaseline") == 4
    assert "did you mean" in capsys.readouterr().err


def test_the_report_is_not_written_over_a_shard(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sharded.run("merge", "one", "two", "three", "--report", "./two") == 4
    assert "--report=two is one of the shards" in capsys.readouterr().err


def test_the_report_is_not_written_over_the_baselines(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = {path: path.read_bytes() for path in (sharded.path / "baselines").rglob("*.*")}
    (sharded.path / "linked").mkdir()
    (sharded.path / "linked" / "scores").symlink_to(sharded.path / "baselines")
    for folder in ("baselines", "baselines/merged", "linked"):
        assert sharded.run("merge", "one", "two", "three", "--report", folder) == 4
        assert "where the baselines are" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in (sharded.path / "baselines").rglob("*.*")} == stored


def test_json_is_what_the_report_says(
    sharded: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sharded.run("merge", "one", "two", "three", "--report", "merged", "--json") == 0
    assert capsys.readouterr().out == (sharded.path / "merged" / "beir.json").read_text()


def test_no_report_named_is_a_usage_error(suite: Workshop) -> None:
    assert suite.run("merge", "one") == 4
