"""`pytest-beir accept`."""

from __future__ import annotations

import json
import os
from math import log2
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines import store

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from tests.commands.conftest import Canned, Ranks, Workshop

REASON = "--reason=a better analyser"


@pytest.fixture
def suite(workshop: Workshop) -> Workshop:
    """Two datasets whose baseline finds everything first."""
    for name in "ab":
        workshop.dataset(name)
        workshop.store(name, reason="the first")
    return workshop


def _stored(suite: Workshop, name: str, retriever: str = "canned") -> Baseline:
    found = store.load(suite.path / "baselines", retriever, name)
    assert found is not None
    return found


def _means(baseline: Baseline) -> tuple[float, float]:
    """nDCG@10 of the current vector and of the anchor."""
    current, anchor = baseline.current["nDCG@10"], baseline.anchor["nDCG@10"]
    return sum(current.values()) / len(current), sum(anchor.values()) / len(anchor)


def test_a_drop_becomes_the_baseline_with_reason_commit_and_versions(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": dropped}, commit="def5678")
    assert suite.run("accept", "report", REASON) == 0
    out = capsys.readouterr().out
    assert "a: dropped, nDCG@10 1.000 → .693" in out
    assert "b: unchanged: the baseline holds these scores" in out
    assert "1 written to" in out
    found = _stored(suite, "a")
    # Half of 40 queries at rank 5: (20 + 20 / log2(6)) / 40.
    assert _means(found) == pytest.approx((0.693426, 0.693426), abs=1e-6)
    accepted = found.history.accepted
    assert (accepted.category, accepted.reason) == ("dropped", "a better analyser")
    assert (accepted.commit, found.history.updates) == ("def5678", 2)
    assert found.history.versions == {"pytest-beir": "0.1.0", "retriever": "1"}
    assert _stored(suite, "b").history.accepted.reason == "the first"


def test_a_floor_that_an_accepted_drop_misses_is_named_as_what_to_change(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": dropped})
    config = suite.path / "beir.yaml"
    config.write_text(
        config.read_text() + "gate: {overrides: {a: {floor: {nDCG@10: 0.8}}}}\n", encoding="utf-8"
    )
    assert suite.run("accept", "report", REASON) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "R@100 1.000 → 1.000; the next run fails unless you change" in out
    assert "gate.overrides.a.floor of beir.yaml" in out


def test_an_accepted_report_needs_no_second_run(suite: Workshop, dropped: Ranks) -> None:
    suite.job("report", {"a": dropped})
    assert suite.run("accept", "report", REASON) == 0
    suite.job("again", {"a": dropped})
    assert [each["verdict"] for each in suite.report("again")["results"]] == ["unchanged"] * 2


def test_what_is_new_is_stored(suite: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    suite.dataset("c")
    suite.job("report")
    assert suite.run("accept", "report", REASON, "--only=new") == 0
    assert "c: new, nDCG@10 1.000" in capsys.readouterr().out
    assert _stored(suite, "c").history.accepted.reason == "a better analyser"


def test_an_improvement_moves_both_vectors(suite: Workshop, dropped: Ranks) -> None:
    suite.store("a", dropped)
    suite.job("report")
    assert suite.run("accept", "report", REASON, "--only=improved") == 0
    assert _means(_stored(suite, "a")) == (1.0, 1.0)


def test_a_gain_is_called_one_where_everything_may_be_written(
    suite: Workshop, dropped: Ranks
) -> None:
    suite.store("a", dropped)
    suite.job("report")
    assert suite.run("accept", "report", REASON) == 0
    assert _stored(suite, "a").history.accepted.category == "improved"


def test_a_neutral_change_leaves_the_anchor(workshop: Workshop) -> None:
    workshop.dataset("large", queries=200)
    workshop.store("large")
    # Four of two hundred queries one place lower: −.0074, and no drop of .04 is left possible.
    workshop.config("gate: {overrides: {large: {margin: 0.04}}, min_effect: 0.02}")
    workshop.job("report", {"large": {f"q0{number}": 2 for number in range(4)}})
    assert workshop.report("report")["results"][0]["verdict"] == "within tolerance"
    assert workshop.run("accept", "report", REASON, "--only=neutral") == 0
    current, anchor = _means(_stored(workshop, "large"))
    assert current == pytest.approx(1 - 4 * (1 - 1 / log2(3)) / 200, abs=1e-6)
    assert anchor == 1.0


def test_what_is_not_named_stays(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": dropped})
    assert suite.run("accept", "report", REASON, "--only=improved,new") == 0
    said = "a: left as it is: regressed, and only new, improved may be written"
    assert said in capsys.readouterr().out
    assert _means(_stored(suite, "a")) == (1.0, 1.0)


def test_changed_judgements_are_incomparable_until_they_are_accepted(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    with (suite.path / "data" / "a" / "qrels" / "test.tsv").open("a") as qrels:
        qrels.write("q00\tx00\t1\n")
    suite.job("report")
    assert suite.run("accept", "report", REASON, "--only=dropped,neutral") == 0
    assert "a: left as it is: not comparable" in capsys.readouterr().out
    assert suite.run("accept", "report", REASON, "--only=incomparable") == 0
    assert "a: incomparable" in capsys.readouterr().out
    assert _stored(suite, "a").identity.judgements == 41


def test_the_gate_of_the_config_decides(suite: Workshop, dropped: Ranks) -> None:
    suite.store("a", {"q00": 2})
    suite.config("gate: {alpha: 0.99, correction: none, min_effect: 0.0}")
    suite.job("report")
    assert suite.report("report")["results"][0]["verdict"] == "improved"
    suite.config()
    assert suite.run("accept", "report", REASON, "--only=improved") == 0
    assert _means(_stored(suite, "a"))[0] < 1.0


def test_results_resumed_from_other_code_never_become_baselines(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": dropped}, flags={"a": "resumed-other-code"})
    assert suite.run("accept", "report", REASON) == 1
    out = capsys.readouterr().out
    assert "a: refused, its rankings were resumed" in out
    assert "0 written" in out


def test_an_error_is_refused_and_the_others_are_written(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": None, "b": dropped})
    assert suite.run("accept", "report", REASON) == 1
    out = capsys.readouterr().out
    assert "a: refused, error: the search raised ValueError: oh" in out
    assert "b: dropped" in out
    assert "1 written" in out


def test_an_improvement_beside_a_dropped_metric_is_refused(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a", {f"q{number:02d}": 4 for number in range(40)})
    lost = {f"q{number:02d}": 0 for number in range(10)}
    suite.job("report", {"a": lost})
    assert suite.run("accept", "report", REASON, "--only=improved") == 1
    assert "refused while R@100 has dropped significantly" in capsys.readouterr().out
    assert suite.run("accept", "report", REASON) == 0


def test_a_test_that_failed_by_more_than_its_scores_is_refused(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a", dropped)
    suite.job("report")
    content = suite.report("report")
    content["results"][0]["passed"] = False
    (suite.path / "report" / "beir.json").write_text(json.dumps(content))
    assert suite.run("accept", "report", REASON) == 1
    assert "a: refused, its test failed, and not by its scores alone" in capsys.readouterr().out


def test_a_regression_that_the_scores_alone_do_not_show_takes_more_than_neutral(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.store("a", dropped)
    suite.job("report")
    content = suite.report("report")
    content["results"][0] |= {"passed": False, "verdict": "regressed"}  # as of a gated group
    (suite.path / "report" / "beir.json").write_text(json.dumps(content))
    assert suite.run("accept", "report", REASON, "--only=improved,neutral") == 1
    assert "a: refused, the report says regressed" in capsys.readouterr().out
    assert suite.run("accept", "report", REASON) == 0
    assert _stored(suite, "a").history.accepted.category == "dropped"


def test_a_gated_metric_that_was_not_recorded_is_refused(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report")
    suite.config("gate: {metrics: [RR@10]}")
    assert suite.run("accept", "report", REASON) == 1
    assert "a: refused, the report does not record RR@10" in capsys.readouterr().out


def test_a_malformed_baseline_is_refused_with_its_place(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("report", {"a": dropped, "b": dropped})
    broken = suite.path / "baselines" / "canned" / "a.yaml"
    broken.write_text("format: 1\n")
    assert suite.run("accept", "report", REASON) == 1
    out = capsys.readouterr().out
    assert f"a: refused, {broken}" in out
    assert "b: dropped" in out


def test_a_report_whose_fingerprints_clash_is_refused_whole(
    suite: Workshop,
    make_retriever: type[Canned],
    dropped: Ranks,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first, second = make_retriever({}, name="first"), make_retriever({}, name="second")
    suite.job("other", retrievers=[second])
    with (suite.path / "data" / "a" / "queries.jsonl").open("a") as queries:
        queries.write('{"_id": "q40", "text": "one more"}\n')
    with (suite.path / "data" / "a" / "qrels" / "test.tsv").open("a") as qrels:
        qrels.write("q40\tx00\t1\n")
    suite.job("report", {"a": {"q40": 0}}, retrievers=[first])
    content, other = suite.report("report"), suite.report("other")
    content["results"] += other["results"]
    content["retrievers"] += other["retrievers"]
    (suite.path / "report" / "beir.json").write_text(json.dumps(content))
    home = suite.path / "report" / "scores" / "second"
    (suite.path / "other" / "scores" / "second").rename(home)
    assert suite.run("accept", "report", REASON) == 1
    error = capsys.readouterr().err
    assert "the a that second was measured on is not the a of first" in error
    assert "queries 41, 40" in error
    assert store.load(suite.path / "baselines", "first", "b") is None


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda results: [*results, results[0]], "canned has 2 results on a"),
        (
            lambda results: [{**results[0], "dataset": "z"}, *results[1:]],
            "canned has a result that its suite does not declare on z",
        ),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(
    suite: Workshop, capsys: pytest.CaptureFixture[str], change: Any, wrong: str
) -> None:
    content = json.loads((suite.job("report") / "beir.json").read_text())
    content["results"] = change(content["results"])
    (suite.path / "report" / "beir.json").write_text(json.dumps(content))
    assert suite.run("accept", "report", REASON) == 1
    assert wrong in capsys.readouterr().err


def test_nothing_is_written_on_ci_unless_it_is_meant(
    suite: Workshop,
    dropped: Ranks,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    suite.job("report", {"a": dropped})
    monkeypatch.setenv("CI", "true")
    assert suite.run("accept", "report", REASON) == 4
    assert "--update-on-ci" in capsys.readouterr().err
    assert _means(_stored(suite, "a")) == (1.0, 1.0)
    assert suite.run("accept", "report", REASON, "--update-on-ci") == 0
    assert _means(_stored(suite, "a")) != (1.0, 1.0)


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_ci_may_say_that_it_is_none(
    suite: Workshop, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    suite.job("report")
    monkeypatch.setenv("CI", value)
    assert suite.run("accept", "report", REASON) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--reason= "], "--reason is empty"),
        ([REASON, "--only=improvd"], "did you mean 'improved'"),
        ([REASON, "--only="], "--only= names nothing"),
        ([REASON, "--config=none.yaml"], "none.yaml is not a file"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    suite: Workshop, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    suite.job("report")
    assert suite.run("accept", "report", *words) == 4
    assert said in capsys.readouterr().err


def test_a_reason_is_required(suite: Workshop) -> None:
    suite.job("report")
    assert suite.run("accept", "report") == 4


def test_no_report_is_an_error_that_names_the_file(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert suite.run("accept", "nowhere", REASON) == 1
    assert f"nowhere{os.sep}beir.json: cannot be read" in capsys.readouterr().err


def test_a_folder_that_is_not_there_yet_is_made(suite: Workshop) -> None:
    suite.job("report")
    assert suite.run("accept", "report", REASON, "--baselines=elsewhere") == 0
    assert len(store.stored(suite.path / "elsewhere")) == 2


def test_a_merged_report_is_accepted(
    suite: Workshop, dropped: Ranks, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.job("one", {"a": dropped}, only=["a"])
    suite.job("two", only=["b"])
    assert suite.run("merge", "one", "two", "--report", "merged") == 1
    capsys.readouterr()
    assert suite.run("accept", "merged", REASON, "--json") == 0
    decisions = json.loads(capsys.readouterr().out)["decisions"]
    assert [(each["dataset"], each["written"]) for each in decisions] == [("a", True), ("b", False)]
    assert decisions[0]["category"] == "dropped"
