"""What a path on the command line is taken for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance, Baseline, History
from pytest_beir.datasets.dataset import DatasetIdentity, Fingerprints
from pytest_beir.errors import BaselineError, UsageError
from pytest_beir.retrieval.run_files import write_run
from pytest_beir.scoring.scorer import Scores
from pytest_beir.stored_results.sides import Runs, StoredScores, open_side

if TYPE_CHECKING:
    from pathlib import Path


def _baseline(retriever: str, dataset: str) -> Baseline:
    first = Acceptance("2026-01-05")
    return Baseline(
        retriever,
        DatasetIdentity(dataset, "test", 9, 1, 1, Fingerprints("a", "b", "c")),
        {"nDCG@10": "gain"},
        Scores(
            {"nDCG@10": {"q": 0.5}, "Judged@10": {"q": 0.1}},
            {"q": ("d",)},
            {"q": ((1, "d"),)},
            (),
            (),
        ),
        {"nDCG@10": {"q": 0.5}},
        History(first, {"nDCG@10": first}, {}),
    )


def _run(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_run(path, {"q": {"d": 1.0}}, "tag")


@pytest.mark.parametrize("name", ["bm25.trec", "bm25.trec.gz", "bm25.run", "bm25.txt", "bm25"])
def test_a_file_is_a_run_named_after_itself(tmp_path: Path, name: str) -> None:
    _run(tmp_path / name)
    side = open_side(str(tmp_path / name))
    assert isinstance(side, Runs)
    assert (side.name, side.datasets) == ("bm25", None)


def test_a_folder_of_runs_has_the_datasets_of_its_files(tmp_path: Path) -> None:
    for name in ("scifact.trec", "nfcorpus.trec.gz", "cqadupstack/android.trec", "notes.md"):
        _run(tmp_path / "new" / name)
    _run(tmp_path / "new" / "cqadupstack" / "gis.trec")
    side = open_side(str(tmp_path / "new"))
    assert isinstance(side, Runs)
    assert side.name == "new"
    assert sorted(side.datasets or ()) == ["cqadupstack", "nfcorpus", "scifact"]


def test_a_folder_of_saved_runs_is_that_of_its_only_retriever(tmp_path: Path) -> None:
    _run(tmp_path / "runs" / "bm25" / "scifact.trec")
    side = open_side(str(tmp_path / "runs"))
    assert (side.name, side.datasets) == ("bm25", ("scifact",))
    _run(tmp_path / "runs" / "dense" / "scifact.trec")
    with pytest.raises(UsageError, match=r"holds 2 systems: name one of them \(.*bm25, .*dense\)"):
        open_side(str(tmp_path / "runs"))


def test_a_retrievers_baselines_bear_its_name_wherever_they_lie(tmp_path: Path) -> None:
    for dataset in ("scifact", "Docs"):
        store.save(tmp_path / "baselines", _baseline("BM 25", dataset))
    home = store.paths(tmp_path / "baselines", "BM 25", "scifact")[0].parent
    home.rename(tmp_path / "kept")
    side = open_side(str(tmp_path / "kept"))
    assert isinstance(side, StoredScores)
    assert side.name == "BM 25"
    assert sorted(side.datasets) == ["Docs", "scifact"]
    assert side.read["Docs"]().identity.name == "Docs"


@pytest.mark.parametrize("suffix", [".yaml", ".queries.tsv"])
def test_either_file_of_a_baseline_stands_for_it(tmp_path: Path, suffix: str) -> None:
    store.save(tmp_path, _baseline("bm25", "scifact"))
    side = open_side(str(tmp_path / "bm25" / f"scifact{suffix}"))
    assert isinstance(side, StoredScores)
    assert (side.name, side.datasets) == ("bm25", ("scifact",))


def test_a_broken_baseline_breaks_only_its_own_dataset(tmp_path: Path) -> None:
    for dataset in ("a", "b"):
        store.save(tmp_path, _baseline("bm25", dataset))
    (tmp_path / "bm25" / "a.yaml").write_text("format: 1\n")
    side = open_side(str(tmp_path / "bm25"))
    assert isinstance(side, StoredScores)
    assert (side.name, side.datasets) == ("bm25", ("a", "b"))
    assert side.read["b"]().retriever == "bm25"
    with pytest.raises(BaselineError, match=r"a\.yaml"):
        side.read["a"]()


def test_a_yaml_file_without_a_table_makes_no_baselines(tmp_path: Path) -> None:
    (tmp_path / "beir.yaml").write_text("")
    with pytest.raises(UsageError, match="holds neither run files"):
        open_side(str(tmp_path))


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gone: there is no such file or folder"):
        open_side(str(tmp_path / "gone"))
