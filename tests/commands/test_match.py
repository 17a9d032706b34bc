"""`pytest-beir match` on real collections."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.commands import match
from pytest_beir.errors import DatasetError, UsageError
from pytest_beir.inspection.likeness import Match as Likeness
from pytest_beir.inspection.likeness import Trait

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Match = Callable[..., None]

BIOMEDICAL = {"nfcorpus", "trec-covid", "bioasq", "scifact"}


@pytest.fixture
def run_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: str) -> None:
        parser = argparse.ArgumentParser()
        match.register(parser.add_subparsers())
        args = parser.parse_args(["match", f"--cache={tmp_path / 'cache'}", *words])
        assert args.run(args) == 0

    return run


Matches = list[dict[str, Any]]


@pytest.fixture
def ranked(
    run_match: Match, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], Matches]:
    def run(name: str) -> Matches:
        run_match(str(shared_data / "beir" / name), "--json")
        found: Matches = json.loads(capsys.readouterr().out)
        return found

    return run


def test_scifact_as_a_users_folder_is_most_like_scifact(ranked: Callable[[str], Matches]) -> None:
    matches = ranked("scifact")
    assert all(set(one) == {"name", "distance", "reasons"} for one in matches)
    assert matches[0]["name"] == "scifact"
    assert matches[0]["distance"] < 0.05 < matches[1]["distance"]
    assert "queries of 12.5 words against its 12.5" in matches[0]["reasons"]
    assert matches[1]["name"] in BIOMEDICAL


def test_nfcorpus_is_most_like_a_biomedical_dataset(ranked: Callable[[str], Matches]) -> None:
    names = [one["name"] for one in ranked("nfcorpus-processed")]
    assert names[0] == "nfcorpus"


@pytest.mark.parametrize(
    ("name", "subject", "length"),
    [
        ("cacm", "about computing, scholarly work", "queries of 21.7 words"),
        ("cranfield", "about engineering and physics, scholarly work", "queries of 18 words"),
    ],
)
def test_scientific_abstracts_are_most_like_scidocs_and_the_reasons_say_why(
    ranked: Callable[[str], Matches], name: str, subject: str, length: str
) -> None:
    nearest = ranked(name)[0]
    assert nearest["name"] == "scidocs"
    assert nearest["reasons"][0] == f"{subject} against its machine learning, computing"
    assert any(reason.startswith(f"{length} against its 9.4") for reason in nearest["reasons"])


def test_the_terminal_shows_the_shape_the_nearest_and_advice(
    run_match: Match, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_match(str(shared_data / "beir" / "noveleval"))
    shown = capsys.readouterr().out
    assert "420 documents of 149 words, 21 judged queries of 9.1 words" in shown
    assert "6.2 relevant documents a query on average; grades 0, 1, 2" in shown
    assert "Nothing in the catalogue is close to this" in shown
    assert "run a lexical retriever beside the dense one" in shown
    assert "21 judged queries detect a drop of 8.7 points" in shown


def test_another_split_can_be_named(
    run_match: Match, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_match(str(shared_data / "beir" / "scifact"), "--split=train")
    assert "809 judged queries" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_named(run_match: Match, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="nowhere: no such folder"):
        run_match(str(tmp_path / "nowhere"))


def test_without_a_folder_the_profile_of_the_config_is_measured(
    run_match: Match,
    shared_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    project = tmp_path / "project" / "src"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    config = project.parent / "beir.yaml"
    config.write_text("datasets: [scifact]\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"no FOLDER: .* `profile: FOLDER` in .*beir\.yaml"):
        run_match()
    config.write_text(f"profile: {shared_data / 'beir' / 'noveleval'}\n", encoding="utf-8")
    run_match()
    assert "21 judged queries of 9.1 words" in capsys.readouterr().out


def test_the_four_heaviest_likenesses_and_the_two_largest_differences_are_told() -> None:
    near = [Trait(f"n{i}", weight, 0.1, f"like {i}") for i, weight in enumerate((1, 5, 4, 3, 2))]
    far = [Trait(f"f{i}", weight, 1.0, f"unlike {i}") for i, weight in enumerate((1, 3, 2))]
    both = match._why(Likeness("docs", 0.3, (*far, *near)))
    assert both == "like 1; like 2; like 3; like 4\nbut unlike 1; unlike 2"
    assert match._why(Likeness("docs", 0.3, tuple(near[:1]))) == "like 0"
