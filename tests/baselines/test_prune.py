"""Which baselines nothing names any more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.baselines.prune import unnamed
from pytest_beir.baselines.store import Key, save

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline


def test_baselines_of_datasets_that_nothing_names_are_found_for_every_retriever(
    tmp_path: Path, baseline: Baseline
) -> None:
    for retriever in ("bm25", "dense"):
        for dataset in ("docs", "old", "cqadupstack/android"):
            identity = replace(baseline.identity, name=dataset)
            save(tmp_path, replace(baseline, retriever=retriever, identity=identity))
    assert unnamed(tmp_path, ["docs", "cqadupstack/android"]) == (
        Key("bm25", "old"),
        Key("dense", "old"),
    )


def test_case_does_not_count(tmp_path: Path, baseline: Baseline) -> None:
    save(tmp_path, baseline)
    assert unnamed(tmp_path, ["DOCS"]) == ()


def test_an_empty_folder_has_nothing_to_prune(tmp_path: Path) -> None:
    assert unnamed(tmp_path / "nowhere", []) == ()
