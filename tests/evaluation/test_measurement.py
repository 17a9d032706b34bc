"""Stored scores, taken as today's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_beir.baselines import store
from pytest_beir.baselines.baseline import Acceptance, Baseline
from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.evaluation.evaluate import evaluate
from pytest_beir.evaluation.measurement import stored_measurement, with_data
from pytest_beir.evaluation.result import failed
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.evaluation.scored import Scored
from pytest_beir.reports.wording import update_line
from pytest_beir.scoring.scorer import score

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
    del run[next(iter(run))]
    scores = score(dataset.qrels, run)
    return Scored(
        retriever="bm25",
        version="7",
        dataset=dataset,
        identity=dataset.identity,
        qrels=dataset.qrels,
        scores=scores,
        definitions={m: f"as {m}" for m in scores.values},
    )


def _baseline(scored: Scored) -> Baseline:
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset(scored.dataset.name)])
    found = evaluate(scored, None, rules, scored.dataset)
    return found.as_baseline(accepted=Acceptance("2026-01-01"), versions={})


@pytest.mark.parametrize("dataset", [_part("docs", 60), _divided()], ids=["whole", "divided"])
def test_stored_scores_are_judged_as_they_were_when_measured(
    dataset: Dataset, tmp_path: Path
) -> None:
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset(dataset.name)])
    before, now = _scored(dataset, 3), _scored(dataset, 30)
    measured = evaluate(now, _baseline(before), rules, now.dataset)
    store.save(tmp_path, _baseline(now))
    stored = store.load(tmp_path, "bm25", dataset.name)
    assert stored is not None
    again = evaluate(stored_measurement(stored, version="7"), _baseline(before), rules)
    assert again.metrics == measured.metrics
    assert again.verdict == measured.verdict == "regressed"
    assert (again.judged_at_10, again.queries, again.missing) == (
        measured.judged_at_10,
        measured.queries,
        1,
    )
    assert again.identity == measured.identity
    assert again.scores is not None
    assert again.scores.missing == now.scores.missing
    lost = [loss.query for loss in again.explanation.losses]
    assert lost == [loss.query for loss in measured.explanation.losses]


def test_without_judgements_nothing_is_said_of_the_pool_or_the_cause() -> None:
    dataset = _part("docs", 60)
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset("docs")])
    before, now = _baseline(_scored(dataset, 3)), _baseline(_scored(dataset, 50))
    others = {query: tuple(f"y{rank}" for rank in range(10)) for query in now.scores.top10}
    now = replace(now, scores=replace(now.scores, top10=others))
    found = evaluate(stored_measurement(now), before, rules)
    assert found.verdict == "regressed"
    assert not [flag for flag in found.flags if flag.startswith("pool-")]
    assert found.explanation.diagnosis is None
    assert found.pool is None


def test_the_data_add_judgements_groups_flags_and_warnings() -> None:
    stored = stored_measurement(_baseline(_scored(_part("docs", 40), 3)))
    assert (stored.qrels, stored.groups, stored.warnings) == (None, {}, ())
    dataset = replace(
        _part("docs", 40),
        metadata={"00": {"kind": "long"}, "02": {"kind": "short"}, "03": {"kind": "long"}},
        flags=("flagged",),
        warnings=("one was left out",),
    )
    known = with_data(stored, dataset, "kind")
    assert known.qrels == dataset.qrels
    assert known.groups == {"long": ("00", "03"), "short": ("02",)}
    assert (known.dataset_flags, known.warnings) == (("flagged",), ("one was left out",))
    assert known.scores == stored.scores
    assert with_data(stored, dataset, None).groups == {}


def test_another_name_may_be_given() -> None:
    stored = _baseline(_scored(_part("docs", 40), 3))
    assert stored_measurement(stored).retriever == "bm25"
    assert stored_measurement(stored, retriever="candidate").retriever == "candidate"


def test_the_line_of_an_update_goes_from_old_to_new() -> None:
    dataset = _part("docs", 60)
    config = Config.model_validate({"gate": {"allow_missing": 1}})
    rules = rules_for(config, "bm25", [DeclaredDataset("docs")])
    old = _baseline(_scored(dataset, 50))
    found = evaluate(_scored(dataset, 3), old, rules)
    metric = found.metrics["nDCG@10"]
    assert metric.baseline is not None
    recall = found.metrics["R@100"]
    assert update_line(old, found, "improved") == (
        f"docs: improved, nDCG@10 {_short(metric.baseline)} → {_short(metric.now)}, "
        f"R@100 {_short(recall.baseline)} → {_short(recall.now)}"
    )
    first = evaluate(_scored(dataset, 3), None, rules)
    assert update_line(None, first, "new") == (
        f"docs: new, nDCG@10 {_short(metric.now)}, R@100 {_short(recall.now)}"
    )


def _short(value: float | None) -> str:
    return f"{value:.3f}".removeprefix("0")


def test_nothing_scored_is_no_baseline(tmp_path: Path) -> None:
    from pytest_beir.errors import BaselineError

    with pytest.raises(BaselineError, match="docs: nothing was scored"):
        failed("bm25", "docs", "test", "oh").as_baseline(
            accepted=Acceptance("2026-01-01"), versions={}
        )
