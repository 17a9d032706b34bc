"""Killed at any moment, a baseline is the old one or the new one, and the next run tidies up."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline

Killed = Callable[[Callable[[], object]], Iterator[int]]


@pytest.fixture
def changed(baseline: Baseline) -> Baseline:
    """The baseline with another anchor, so that both of its files change."""
    anchor = {name: baseline.current[name] for name in baseline.anchor}
    return replace(baseline, anchor=anchor)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


WHOLE = [".gitattributes", "bm25/docs.queries.tsv", "bm25/docs.yaml"]


def test_a_writer_leaves_the_old_baseline_or_the_new_one(
    tmp_path: Path, baseline: Baseline, changed: Baseline, killed_at_every_step: Killed
) -> None:
    folder = tmp_path / "baselines"
    store.save(folder, baseline)
    seen = set()
    for step in killed_at_every_step(lambda: store.save(folder, changed)):
        found = store.load(folder, "bm25", "docs")
        assert found in (baseline, changed), step
        seen.add(found == changed)
        store.finish(folder)
        assert store.load(folder, "bm25", "docs") == found, step
        assert files(folder) == WHOLE, step
        store.save(folder, baseline)
    assert seen == {False, True}


def test_the_first_writer_leaves_nothing_or_the_baseline(
    tmp_path: Path, baseline: Baseline, killed_at_every_step: Killed
) -> None:
    folder = tmp_path / "baselines"
    seen = set()
    for step in killed_at_every_step(lambda: store.save(folder, baseline)):
        found = store.load(folder, "bm25", "docs")
        assert found in (None, baseline), step
        seen.add(found is None)
        store.save(folder, baseline)
        assert store.load(folder, "bm25", "docs") == baseline, step
        store.finish(folder)
        assert files(folder) == WHOLE, step
        shutil.rmtree(folder)
    assert seen == {False, True}


def test_deleting_leaves_the_baseline_or_nothing(
    tmp_path: Path, baseline: Baseline, killed_at_every_step: Killed
) -> None:
    folder = tmp_path / "baselines"
    store.save(folder, baseline)
    seen = set()
    for step in killed_at_every_step(lambda: store.delete(folder, "bm25", "docs")):
        found = store.load(folder, "bm25", "docs")
        assert found in (None, baseline), step
        seen.add(found is None)
        store.finish(folder)
        assert files(folder) in ([WHOLE[:1]] if found is None else [WHOLE[:1], WHOLE]), step
        store.save(folder, baseline)
    assert seen == {False, True}


def test_what_belongs_to_another_table_is_dropped(
    tmp_path: Path, baseline: Baseline, changed: Baseline
) -> None:
    store.save(tmp_path, baseline)
    yaml_path, _ = store.paths(tmp_path, "bm25", "docs")
    unfinished = yaml_path.parent / ".unfinished"
    unfinished.mkdir()
    (unfinished / "docs.yaml.0badc0de").write_text("format: 1\n")
    store.finish(tmp_path)
    assert store.load(tmp_path, "bm25", "docs") == baseline
    assert not unfinished.exists()
    store.save(tmp_path, changed)
    assert store.load(tmp_path, "bm25", "docs") == changed
