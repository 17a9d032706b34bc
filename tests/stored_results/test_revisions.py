"""The history of a baseline, from what git would say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store
from pytest_beir.stored_results import revisions

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Lab


def test_the_means_of_every_commit_come_oldest_first(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {}
    # Of 40 queries none, ten and twenty find their document at rank 5: 1 / log2(6).
    for commit, late in (("aaa", 0), ("bbb", 10), ("ccc", 20)):
        store.save(tmp_path, lab.baseline(lab.measurement(lab.late(late)), lab.measurement()))
        texts[commit] = store.paths(tmp_path, "bm25", "docs")[0].read_bytes()
    asked = []

    def git(folder: Path, *words: str) -> bytes | None:
        assert folder == store.paths(tmp_path, "bm25", "docs")[0].parent
        asked.append(words)
        if words[0] == "log":
            return b"ccc 2026-03-03\nbroken 2026-02-20\nbbb 2026-02-02\naaa 2026-01-01\n"
        commit, name = words[1].split(":")
        assert name == "./docs.yaml"
        return texts.get(commit)  # "broken" cannot be shown

    monkeypatch.setattr(revisions, "_git", git)
    found = revisions.past_means(tmp_path, "bm25", "docs")
    means = [each for each in found if each.metric == "nDCG@10"]
    assert [each.date for each in means] == ["2026-01-01", "2026-02-02", "2026-03-03"]
    drop = 1 - 0.3868528
    assert [each.mean for each in means] == pytest.approx([1.0, 1 - drop / 4, 1 - drop / 2], 1e-5)
    assert asked[0][-2:] == ("--", "./docs.yaml")


def test_without_git_or_a_folder_there_is_no_history(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert revisions.past_means(tmp_path / "none", "bm25", "docs") == ()
    store.save(tmp_path, lab.baseline(lab.measurement()))
    monkeypatch.setattr(revisions, "_git", lambda *_: None)
    assert revisions.past_means(tmp_path, "bm25", "docs") == ()


def test_an_exported_revision_has_what_it_held_and_what_was_never_committed(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = tmp_path / "baselines"
    for name in ("docs", "own"):
        store.save(now, lab.baseline(lab.measurement(name=name)))
    then = tmp_path / "then"
    store.save(then, lab.baseline(lab.measurement(lab.late(20))))
    held = {
        path.relative_to(then).as_posix(): path.read_bytes()
        for path in store.paths(then, "bm25", "docs")
    }
    monkeypatch.setattr(revisions, "_names_at", lambda *_: [*held, "bm25/lost.yaml"])
    monkeypatch.setattr(
        revisions, "_git", lambda _, __, place: held.get(place.removeprefix("main:./"))
    )
    with revisions.exported(now, "main") as older:
        found = store.load(older, "bm25", "docs")
        assert found is not None
        # Half of the queries found their document at rank 5: 1 / log2(6).
        assert found.mean("nDCG@10") == pytest.approx((1 + 0.3868528) / 2)
        assert [key.dataset for key in store.stored(older)] == ["docs", "own"]
