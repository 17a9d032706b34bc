"""`pytest-beir baselines`."""

from __future__ import annotations

import json
from datetime import date, datetime, timezone
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines import store

if TYPE_CHECKING:
    from tests.commands.conftest import Workshop


@pytest.fixture
def suite(workshop: Workshop) -> Workshop:
    """Two baselines: `a` has drifted from its anchor, `b` was written once."""
    for name in "ab":
        workshop.dataset(name)
        workshop.store(name)
    workshop.store("a", {"q00": 2, "q01": 2}, anchor=False, reason="another tokenizer")
    return workshop


def _listed(suite: Workshop, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert suite.run("baselines", "--json", *words) == 0
    return json.loads(capsys.readouterr().out)


def test_each_baseline_tells_its_age_updates_reason_and_drift(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = _listed(suite, capsys)["baselines"]
    assert (first["retriever"], first["dataset"], first["split"]) == ("canned", "a", "test")
    today = datetime.now(timezone.utc).date()
    # A day more, should midnight fall between the two.
    assert 0 <= (today - date(2026, 2, 3)).days - first["age"] <= 1
    assert (first["written"], first["updates"]) == ("2026-02-03", 2)
    assert (first["category"], first["reason"]) == ("neutral", "another tokenizer")
    assert first["versions"] == {"pytest-beir": "0.1.0", "retriever": "1"}
    metric = first["metrics"]["nDCG@10"]
    # Two of forty queries at rank 2: 1 - 2 (1 - 1 / log2(3)) / 40.
    assert metric["mean"] == pytest.approx(0.981546, abs=1e-6)
    assert metric["anchor"] == 1.0
    assert metric["drift"] == pytest.approx(-0.018454, abs=1e-6)
    assert metric["has_drifted"] is True
    assert metric["anchor_category"] == "new"
    assert (second["updates"], second["reason"]) == (1, None)
    assert second["metrics"]["nDCG@10"]["has_drifted"] is False
    assert first["unused"] is second["unused"] is False


def test_drift_is_flagged_from_half_the_margin_on(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.config("gate: {overrides: {a: {margin: 0.036}}}")
    assert _listed(suite, capsys)["baselines"][0]["metrics"]["nDCG@10"]["has_drifted"]
    suite.config("gate: {overrides: {a: {margin: 0.037}}}")
    assert not _listed(suite, capsys)["baselines"][0]["metrics"]["nDCG@10"]["has_drifted"]


def test_a_rise_is_no_drift(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    workshop.dataset("a")
    workshop.store("a", {"q00": 5})
    workshop.store("a", anchor=False)
    metric = _listed(workshop, capsys)["baselines"][0]["metrics"]["nDCG@10"]
    assert metric["drift"] > 0.015
    assert metric["has_drifted"] is False


def test_the_table_names_drift_and_what_is_unused(
    suite: Workshop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    suite.names.remove("b")
    suite.config()
    assert suite.run("baselines") == 0
    out = capsys.readouterr().out
    assert "neutral: another tokenizer" in out
    assert "−.018 !" in out
    assert "drift: canned/a nDCG@10 −.018 since 2026-02-03, half the margin .02 or more" in out
    assert "unused: canned/b, which beir.yaml does not name" in out


def test_without_declared_datasets_nobody_can_tell_what_is_unused(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    (suite.path / "beir.yaml").write_text("")
    assert [each["unused"] for each in _listed(suite, capsys)["baselines"]] == [None, None]


def test_a_suite_of_the_config_keeps_a_baseline_in_use(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.names.remove("b")
    suite.config("suites: {nightly: [data/b]}")
    assert [each["unused"] for each in _listed(suite, capsys)["baselines"]] == [False, False]


def test_malformed_ones_are_listed_as_such_and_exit_1(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    (suite.path / "baselines" / "canned" / "b.queries.tsv").unlink()
    assert suite.run("baselines", "--json") == 1
    listed = json.loads(capsys.readouterr().out)
    assert [each["dataset"] for each in listed["baselines"]] == ["a"]
    assert [each["dataset"] for each in listed["malformed"]] == ["b"]
    assert "b.queries.tsv is missing" in listed["malformed"][0]["error"]
    assert suite.run("baselines") == 1
    assert "malformed: canned/b: " in capsys.readouterr().out


def test_retrievers_stand_apart(suite: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    suite.store("b", retriever="another one")
    assert suite.run("baselines") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines.index("another one") < lines.index("canned")


def test_another_folder_may_be_named(suite: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    suite.store("b", folder="elsewhere")
    listed = _listed(suite, capsys, "--baselines=elsewhere")
    assert [each["dataset"] for each in listed["baselines"]] == ["b"]
    assert suite.run("baselines", "--baselines=nowhere") == 4
    assert "nowhere is not a folder" in capsys.readouterr().err


def test_no_baselines_are_told_with_what_makes_some(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert workshop.run("baselines") == 0
    assert "pytest --beir --beir-update" in capsys.readouterr().out


def test_a_date_that_is_not_one_makes_a_baseline_malformed(
    suite: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    path = store.paths(suite.path / "baselines", "canned", "b")[0]
    path.write_text(path.read_text().replace("'2026-02-03'", "long ago"))
    assert suite.run("baselines") == 1
    assert "accepted.written: Invalid isoformat string: 'long ago'" in capsys.readouterr().out


def test_a_narrow_terminal_cuts_reasons_and_no_names(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    workshop.dataset("questions-of-customers")
    workshop.store("questions-of-customers")
    workshop.store("questions-of-customers", {"q00": 2}, anchor=False, reason="many " * 30)
    assert workshop.run("baselines") == 0
    out = capsys.readouterr().out
    assert "questions-of-customers" in out
    (row,) = [line for line in out.splitlines() if "questions-of-customers" in line]
    assert {"nDCG@10", ".991", "1.000"} <= {*row.split()}


def test_the_json_is_for_people_too(suite: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    assert suite.run("baselines", "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "{"
    assert lines[1].startswith(' "')
    assert lines[-1] == "}"
