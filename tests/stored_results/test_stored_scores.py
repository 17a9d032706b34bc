"""Stored scores, taken as today's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance, Baseline
from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declaration import DeclaredDataset
from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.evaluation.evaluation import compare, identity_of
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.evaluation.scored import Scored
from pytest_beir.scoring.scorer import Scores, score
from pytest_beir.stored_results.baseline_writing import as_measured, update_line
from pytest_beir.stored_results.stored_scores import compared_blindly, scored_again, stand_in

SIZES = {"android": 40, "gis": 70}


def _part(name: str, queries: int, *, whole: str = "") -> Dataset:
    ids = [f"{number:02d}" for number in range(queries)]
    return Dataset(
        name=f"{whole}/{name}" if whole else name,
        split="test",
        folder=Path(),
        queries={query: f"text of {query}" for query in ids},
        qrels={query: {f"d{query}": 1, "other": 0} for query in ids},
        corpus=None,
        fingerprints=Fingerprints(f"q-{name}", f"r-{name}", f"c-{name}"),
        counts=Counts(100, queries, 2 * queries),
    )


def _divided() -> Dataset:
    """Two parts of different size, joined as the reader joins forums."""
    parts = {name: _part(name, size, whole="forums") for name, size in SIZES.items()}
    return replace(
        _part("forums", 0),
        queries={f"{name}/{q}": text for name, p in parts.items() for q, text in p.queries.items()},
        qrels={f"{name}/{q}": grades for name, p in parts.items() for q, grades in p.qrels.items()},
        counts=Counts(200, 110, 220),
        members=tuple(parts.values()),
        drop_identical_ids=True,
    )


def _scored(dataset: Dataset, late: int) -> Scored:
    """A ranking in which the first queries find their document at rank 4, and one nothing."""
    run = {
        query: {f"x{rank}": float(-rank) for rank in range(1, 12)}
        | {next(iter(grades)): -3.5 if number < late else 0.0}
        for number, (query, grades) in enumerate(dataset.qrels.items())
    }
    run[next(iter(run))] = {}
    scores = score(dataset.qrels, run)
    return Scored("bm25", "7", None, dataset, scores, {m: f"as {m}" for m in scores.values})


def _baseline(scored: Scored) -> Baseline:
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset(scored.dataset.name)])
    found = compare(scored, None, rules)
    return as_measured(found, accepted=Acceptance("2026-01-01"), versions={})


@pytest.mark.parametrize("dataset", [_part("docs", 60), _divided()], ids=["whole", "divided"])
def test_stored_scores_are_judged_as_they_were_when_measured(
    dataset: Dataset, tmp_path: Path
) -> None:
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset(dataset.name)])
    before, now = _scored(dataset, 3), _scored(dataset, 30)
    measured = compare(now, _baseline(before), rules)
    store.save(tmp_path, _baseline(now))
    stored = store.load(tmp_path, "bm25", dataset.name)
    assert stored is not None
    again = compared_blindly(scored_again(stored, version="7"), _baseline(before), rules)
    assert again.metrics == measured.metrics
    assert again.verdict == measured.verdict == "regressed"
    assert (again.judged, again.queries, again.missing) == (measured.judged, measured.queries, 1)
    assert again.identity == measured.identity
    assert again.scores is not None
    assert again.scores.missing == now.scores.missing
    lost = [loser.query for loser in again.findings.losers]
    assert lost == [loser.query for loser in measured.findings.losers]


def test_a_stand_in_has_the_identity_and_knows_nothing_else() -> None:
    dataset = _divided()
    found = stand_in(identity_of(dataset), dataset.queries)
    assert identity_of(found) == identity_of(dataset)
    assert found.strata == tuple(SIZES)
    assert list(found.queries) == sorted(dataset.queries)
    assert set(found.queries.values()) == {""}
    assert not any(found.qrels.values())


def test_without_judgements_nothing_is_said_of_the_pool_or_the_cause() -> None:
    dataset = _part("docs", 60)
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset("docs")])
    before, now = _baseline(_scored(dataset, 3)), _baseline(_scored(dataset, 50))
    others = {query: tuple(f"y{rank}" for rank in range(10)) for query in now.top10}
    now = replace(now, top10=others)
    found = compared_blindly(scored_again(now), before, rules)
    assert found.verdict == "regressed"
    assert not [flag for flag in found.flags if flag.startswith("pool-")]
    assert found.findings.diagnosis is None
    assert found.findings.pool is None


def test_another_name_may_be_given() -> None:
    stored = _baseline(_scored(_part("docs", 40), 3))
    assert scored_again(stored).retriever == "bm25"
    assert scored_again(stored, retriever="candidate").retriever == "candidate"


def test_the_line_of_an_update_goes_from_old_to_new() -> None:
    dataset = _part("docs", 60)
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset("docs")])
    old = _baseline(_scored(dataset, 50))
    found = compare(_scored(dataset, 3), old, rules)
    metric = found.metrics["nDCG@10"]
    assert metric.baseline is not None
    arrow = f"{metric.baseline:.3f} → {metric.now:.3f}".replace("0.", ".")
    assert update_line(old, found, "improved") == f"docs: improved, nDCG@10 {arrow}"
    first = compare(_scored(dataset, 3), None, rules)
    assert update_line(None, first, "new") == f"docs: new, nDCG@10 {metric.now:.3f}".replace(
        "0.", "."
    )


def test_nothing_scored_is_no_baseline(tmp_path: Path) -> None:
    from pytest_beir.errors import BaselineError
    from pytest_beir.evaluation.evaluation import failed

    with pytest.raises(BaselineError, match="docs: nothing was scored"):
        as_measured(
            failed("bm25", "docs", "test", "oh"), accepted=Acceptance("2026-01-01"), versions={}
        )


def test_scores_without_any_missing_query_miss_none() -> None:
    stored = _baseline(_scored(_part("docs", 40), 3))
    whole = replace(stored, top10=dict.fromkeys(stored.top10, ("d",)))
    assert isinstance(scored_again(whole).scores, Scores)
    assert scored_again(whole).missing == ()
