"""The baseline that follows an update: which vectors move, and what the history says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.baselines.baseline import Acceptance
from pytest_beir.baselines.next_baseline import first_baseline, next_baseline
from pytest_beir.baselines.store import load, save
from pytest_beir.baselines.update import Update
from pytest_beir.datasets.dataset import Fingerprints

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import DatasetIdentity
    from pytest_beir.scoring.scorer import Scores

    Make = Callable[..., Scores]
    Renew = Callable[..., Baseline]

TODAY = Acceptance("2026-03-01", "beef123", "dropped", "smaller index")
BOTH = Update("dropped", current=True, anchor=True)
C_ONLY = Update("neutral", current=True, anchor=False)
A_ONLY = Update("dropped", current=False, anchor=True)


@pytest.fixture
def scores(make_scores: Make) -> Scores:
    """Today's: other values than the baseline's throughout."""
    made = make_scores(ndcg=(0.9, 0.8, 0.7), recall=(0.6, 0.5, 0.4))
    return replace(
        made,
        top10=dict.fromkeys(made.top10, ("today",)),
        judged=dict.fromkeys(made.judged, ((3, "today"),)),
        missing=(),
    )


@pytest.fixture
def renew(identity: DatasetIdentity, definitions: dict[str, str]) -> Renew:
    def renew(old: Baseline | None, scores: Scores, update: Update, **changes: Any) -> Baseline:
        given: dict[str, Any] = {
            "retriever": "bm25",
            "scores": scores,
            "identity": identity,
            "definitions": definitions,
            "accepted": TODAY,
            "versions": {"pytest-beir": "0.2.0", "retriever": "7"},
        }
        return next_baseline(old, first_baseline(**(given | changes)), update)

    return renew


def test_a_new_baseline_has_todays_scores_in_both_vectors(renew: Renew, scores: Scores) -> None:
    new = renew(None, scores, BOTH)
    assert new.current == scores.values
    assert new.anchor == {name: scores.values[name] for name in ("nDCG@10", "R@100")}
    assert (new.scores.top10, new.scores.judged) == (scores.top10, scores.judged)
    assert new.history.accepted == TODAY
    assert new.history.anchors == {"nDCG@10": TODAY, "R@100": TODAY}
    assert new.history.updates == 1


def test_what_else_was_measured_is_kept_with_the_scores(renew: Renew, scores: Scores) -> None:
    alike, recorded = (("q1", "q2"),), {"adapter": "haystack"}
    given = {"same_text": alike, "recorded": recorded, "second": scores}
    first = renew(None, scores, BOTH, **given)
    assert (first.same_text, first.recorded) == (alike, recorded)
    assert first.second is None  # a baseline holds one search, a report both


def test_both_vectors_move(renew: Renew, scores: Scores, baseline: Baseline) -> None:
    new = renew(baseline, scores, BOTH)
    assert new.has_scores_of(renew(None, scores, BOTH))
    assert new.history.updates == 3
    assert new.history.anchors["nDCG@10"] == TODAY


def test_the_current_vector_moves_alone(renew: Renew, scores: Scores, baseline: Baseline) -> None:
    new = renew(baseline, scores, C_ONLY)
    assert new.current == scores.values
    assert (new.scores.top10, new.scores.judged) == (scores.top10, scores.judged)
    assert new.anchor == baseline.anchor
    assert new.history.accepted == TODAY
    assert new.history.anchors == baseline.history.anchors
    assert new.history.versions == {"pytest-beir": "0.2.0", "retriever": "7"}
    assert new.history.updates == 3


def test_the_anchor_moves_alone(renew: Renew, scores: Scores, baseline: Baseline) -> None:
    new = renew(baseline, scores, A_ONLY, identity=replace(baseline.identity, documents=7))
    assert new.current == baseline.current
    assert (new.scores.top10, new.scores.judged) == (baseline.scores.top10, baseline.scores.judged)
    assert new.identity == baseline.identity
    assert new.anchor == {name: scores.values[name] for name in ("nDCG@10", "R@100")}
    assert new.history.accepted == baseline.history.accepted
    assert new.history.versions == baseline.history.versions
    assert new.history.anchors == {"nDCG@10": TODAY, "R@100": TODAY}
    assert new.history.updates == 3


def test_a_metric_that_the_baseline_lacks_gets_todays_scores_as_its_anchor(
    renew: Renew, baseline: Baseline, make_scores: Make, definitions: dict[str, str]
) -> None:
    scores = make_scores(ndcg=(0.9, 0.8, 0.7), **{"RR@10": (1.0, 0.5, 0.0)})
    new = renew(baseline, scores, C_ONLY, definitions={**definitions, "RR@10": "first"})
    assert new.metrics == ("nDCG@10", "R@100", "RR@10")
    assert list(new.current)[-1] == "Judged@10"
    assert new.anchor["RR@10"] == scores.values["RR@10"]
    assert new.anchor["nDCG@10"] == baseline.anchor["nDCG@10"]
    assert new.history.anchors["RR@10"] == TODAY
    assert new.history.anchors["nDCG@10"].category == "new"
    assert new.definitions["RR@10"] == "first"


def test_beside_a_current_vector_that_stays_no_metric_is_added(
    renew: Renew, baseline: Baseline, make_scores: Make, definitions: dict[str, str]
) -> None:
    scores = make_scores(**{"RR@10": (1.0, 0.5, 0.0)})
    new = renew(baseline, scores, A_ONLY, definitions={**definitions, "RR@10": "first"})
    assert new.metrics == baseline.metrics
    assert new.definitions == baseline.definitions


def test_a_metric_that_is_no_longer_recorded_leaves_with_the_current_vector(
    renew: Renew, scores: Scores, baseline: Baseline
) -> None:
    fewer = replace(scores, values={name: scores.values[name] for name in ("nDCG@10", "Judged@10")})
    moved = renew(baseline, fewer, C_ONLY)
    assert moved.metrics == ("nDCG@10",)
    assert list(moved.anchor) == list(moved.history.anchors) == ["nDCG@10"]
    stays = renew(baseline, fewer, A_ONLY)
    assert stays.metrics == ("nDCG@10", "R@100")
    assert stays.anchor["R@100"] == baseline.anchor["R@100"]
    assert stays.history.anchors["R@100"] == baseline.history.anchors["R@100"]


def test_an_anchor_under_another_definition_is_replaced(
    renew: Renew, scores: Scores, baseline: Baseline, definitions: dict[str, str]
) -> None:
    other = {**definitions, "R@100": "something else"}
    moved = renew(baseline, scores, C_ONLY, definitions=other)
    assert moved.anchor["R@100"] == scores.values["R@100"]
    assert moved.anchor["nDCG@10"] == baseline.anchor["nDCG@10"]
    stays = renew(baseline, scores, A_ONLY, definitions=other)
    assert stays.anchor["R@100"] == baseline.anchor["R@100"]
    assert stays.definitions == baseline.definitions


def test_other_judgements_renew_everything_and_count_on(
    renew: Renew, scores: Scores, baseline: Baseline
) -> None:
    other = replace(
        baseline.identity, fingerprints=Fingerprints("a1" * 32, "d4" * 32, "c3" * 32), judgements=6
    )
    new = renew(baseline, scores, BOTH, identity=other)
    assert new.identity == other
    assert new.history.updates == 3
    with pytest.raises(ValueError, match="both vectors are new"):
        renew(baseline, scores, C_ONLY, identity=other)


def test_another_corpus_comes_with_the_current_vector(
    renew: Renew, scores: Scores, baseline: Baseline
) -> None:
    other = replace(baseline.identity, fingerprints=Fingerprints("a1" * 32, "b2" * 32, "d4" * 32))
    assert renew(baseline, scores, C_ONLY, identity=other).identity == other
    assert renew(baseline, scores, A_ONLY, identity=other).identity == baseline.identity


def test_a_copied_baseline_takes_the_name_of_the_retriever_that_updates_it(
    renew: Renew, scores: Scores, baseline: Baseline
) -> None:
    for update in (BOTH, C_ONLY, A_ONLY):
        assert renew(baseline, scores, update, retriever="renamed").retriever == "renamed"


@pytest.mark.parametrize("update", [C_ONLY, A_ONLY])
def test_without_a_baseline_one_vector_alone_cannot_move(
    renew: Renew, scores: Scores, update: Update
) -> None:
    with pytest.raises(ValueError, match="both vectors are new"):
        renew(None, scores, update)


def test_an_update_that_moves_nothing_is_refused(
    renew: Renew, scores: Scores, baseline: Baseline
) -> None:
    with pytest.raises(ValueError, match="neither vector"):
        renew(baseline, scores, Update("neutral", current=False, anchor=False))


@pytest.mark.parametrize("update", [BOTH, C_ONLY, A_ONLY])
def test_what_follows_can_be_stored_and_read(
    tmp_path: Path, renew: Renew, scores: Scores, baseline: Baseline, update: Update
) -> None:
    save(tmp_path, baseline)
    new = renew(baseline, scores, update)
    assert save(tmp_path, new) is True
    assert load(tmp_path, "bm25", "docs") == new
    assert save(tmp_path, renew(new, scores, update)) is False
