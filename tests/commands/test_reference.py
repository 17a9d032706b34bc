"""`pytest-beir reference` prints published scores with their sources."""

from __future__ import annotations

import argparse
import json
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.commands import reference
from pytest_beir.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    parser = argparse.ArgumentParser()
    reference.register(parser.add_subparsers())

    def run(*words: str) -> str:
        args = parser.parse_args(["reference", *words])
        assert args.run(args) == 0
        return capsys.readouterr().out

    return run


def test_every_score_has_a_numbered_source(run: Run) -> None:
    out = run("scifact")
    assert "Published scores on scifact@test" in out
    rows = re.findall(r"^(.+?)\s+scifact@test\s+(\S+)\s+(\.\d{4})\s+(\[\d+\])$", out, re.MULTILINE)
    assert ("BM25 flat", "nDCG@10", ".6789", "[1]") in rows
    assert len(rows) == 14
    for *_, number in rows:
        assert f"\n{number} " in out


def test_json_gives_each_score_with_its_source(run: Run) -> None:
    found = json.loads(run("SciFact", "--json", "--metric=ndcg@10"))
    assert found["dataset"] == "scifact"
    first = found["scores"][0]
    assert (first["system"], first["value"], first["split"]) == ("BM25 flat", 0.6789, "test")
    assert first["source"].startswith("castorini/anserini@")
    assert {each["metric"] for each in found["scores"]} == {"nDCG@10"}


def test_a_named_set_gives_averages_each_beside_its_set(run: Run) -> None:
    out = run("public-13", "--metric=nDCG@10")
    rows = [line for line in out.splitlines() if re.search(r"\s\.\d{4}\s", line)]
    assert len(rows) == 7
    assert all(re.search(r"\b[0-9a-f]{12}\b", line) for line in rows)
    found = json.loads(run("mteb-15", "--json", "--metric=nDCG@10"))["averages"]
    bm25 = found[0]
    assert bm25["value"] is None
    assert bm25["missing"] == ["msmarco@dev"]
    assert all(each["set"]["name"] == "mteb-15" for each in found)


def test_a_forum_has_scores_of_its_own(run: Run) -> None:
    assert "cqadupstack/android@test" in run("cqadupstack/android")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scifct"], "no dataset and no named set is called 'scifct'; did you mean 'scifact'"),
        (["nano-scifact"], "no published scores of 'nano-scifact' are shipped"),
        (["scifact", "--metric=map"], "no published score by 'AP'"),
    ],
)
def test_a_name_without_published_scores_says_what_there_is(
    run: Run, words: list[str], message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        run(*words)


def test_the_metrics_that_there_are_stand_in_order(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = [SimpleNamespace(metric=f"P@{number}") for number in (7, 3, 9, 1, 5, 8, 2, 6, 4, 3)]
    monkeypatch.setattr(reference, "load_scores", lambda: scores)
    with pytest.raises(UsageError) as caught:
        run("scifact", "--metric=map")
    assert str(caught.value).endswith("there are P@1, P@2, P@3, P@4, P@5, P@6, P@7, P@8, P@9")
