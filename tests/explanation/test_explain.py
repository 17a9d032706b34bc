"""What is said of a result, by what is at hand and by what happened."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.explanation.explain import cause_of, explain
from pytest_beir.explanation.pool import PoolCheck, UnjudgedPair
from pytest_beir.gate.family import Limits
from pytest_beir.gate.verdict import judge_metric
from pytest_beir.scoring.scorer import Scores, score

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.gate.verdict import MetricVerdict

QUERIES = [f"q{number:02d}" for number in range(30)]
GROUPS = {"low": QUERIES[:10], "high": QUERIES[10:]}
SUSPECT = PoolCheck(
    "pool-suspect",
    has_negatives=True,
    judged_fall=0.4,
    overlap=0.5,
    condensed_delta=0.0,
    condensed_p=0.5,
    artefact=0.1,
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Thirty queries of one relevant document each; `u0` to `u3` are judged for none."""
    home = tmp_path_factory.mktemp("docs")
    (home / "qrels").mkdir()
    documents = [*(f"d{query[1:]}" for query in QUERIES), "u0", "u1", "u2", "u3", "x"]
    _write(home / "corpus.jsonl", [{"_id": d, "title": "", "text": f"on {d}"} for d in documents])
    _write(home / "queries.jsonl", [{"_id": q, "text": f"what is {q}"} for q in QUERIES])
    rows = [f"{q}\td{q[1:]}\t1\n{q}\tx\t0\n" for q in QUERIES]
    (home / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(rows))
    return load_dataset(home, name="docs", cache_dir=home / "cache")


def _write(path: Path, records: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))


def _scores(dataset: Dataset, fallen: int, above: int = 4) -> Scores:
    """Those of a run in which so many queries find so many unjudged documents first."""
    run = {}
    for number, query in enumerate(QUERIES):
        first = [f"u{place}" for place in range(above)] if number < fallen else []
        ranked = [*first, f"d{query[1:]}", "x"]
        run[query] = {document: float(-place) for place, document in enumerate(ranked)}
    return score(dataset.qrels, run, ["nDCG@10"])


def _deciding(before: Scores, now: Scores) -> MetricVerdict:
    vectors = now.values["nDCG@10"], before.values["nDCG@10"]
    limits = Limits(min_effect=0.005, margin=0.02)
    return judge_metric("nDCG@10", *vectors, None, level=0.05, limits=limits)


def test_a_suspect_drop_is_explained_in_every_way(dataset: Dataset) -> None:
    before, now = _scores(dataset, 0), _scores(dataset, 30)
    found = explain(
        dataset, before, now, _deciding(before, now), pool=SUSPECT, groups={"all": QUERIES}
    )
    assert [loss.query for loss in found.losses] == QUERIES[:5]
    assert found.losses[0].text == "what is q00"
    assert found.diagnosis is not None
    # The relevant document stands at rank 5 of all: 1 / log2(6).
    assert found.diagnosis.delta == pytest.approx(0.3868528 - 1)
    assert found.bounds is not None
    assert found.bounds.worst == pytest.approx(0.3868528)
    assert found.bounds.best == 1.0
    # Of 120 unjudged documents the hundred that stand highest, in the order of the ranks.
    assert len(found.to_judge) == 100
    assert found.to_judge[0] == UnjudgedPair("q00", "u0", 1, None)
    assert [pair.rank for pair in found.to_judge] == [1] * 30 + [2] * 30 + [3] * 30 + [4] * 10
    assert [(group.name, group.n, group.worse) for group in found.groups] == [("all", 30, 30)]
    assert [view.query for view in found.views][:2] == ["q00", "q01"]


def test_without_a_suspicion_nobody_has_to_judge_anything(dataset: Dataset) -> None:
    before, now = _scores(dataset, 0), _scores(dataset, 30)
    deciding = _deciding(before, now)
    for pool in (None, replace(SUSPECT, flag=None)):
        found = explain(dataset, before, now, deciding, pool=pool)
        assert (found.bounds, found.to_judge) == (None, ())
        assert found.diagnosis is not None


def test_only_a_drop_that_is_one_has_a_cause(dataset: Dataset) -> None:
    best, worse = _scores(dataset, 0), _scores(dataset, 30)
    slightly = _scores(dataset, 2)
    unclear = _deciding(best, slightly)
    assert unclear.verdict == "inconclusive"
    assert explain(dataset, best, slightly, unclear).diagnosis is None
    likely = replace(unclear, flags=("likely-drop",))
    assert explain(dataset, best, slightly, likely).diagnosis is not None
    gain = replace(_deciding(worse, best), flags=("likely-drop",))
    found = explain(dataset, worse, best, gain)
    assert (found.diagnosis, found.losses) == (None, ())
    assert len(found.views) > 0


def test_scores_that_do_not_compare_are_only_told_by_group(dataset: Dataset) -> None:
    before, now = _scores(dataset, 0), _scores(dataset, 10)
    apart = replace(_deciding(before, now), current=None)
    for known in (before, None):
        found = explain(dataset, known, now, apart, groups=GROUPS)
        assert (found.losses, found.views, found.diagnosis) == ((), (), None)
        assert [(g.name, g.before, g.delta) for g in found.groups] == [
            ("high", None, None),
            ("low", None, None),
        ]
        assert [group.now for group in found.groups] == [1.0, pytest.approx(0.3868528)]


def test_without_the_data_losses_bear_no_text_and_groups_remain(dataset: Dataset) -> None:
    before, now = _scores(dataset, 0), _scores(dataset, 10)
    found = explain(None, before, now, _deciding(before, now), pool=SUSPECT, groups=GROUPS)
    assert [(loss.query, loss.text, loss.documents) for loss in found.losses] == [
        (query, "", ()) for query in QUERIES[:5]
    ]
    assert [(group.name, group.worse) for group in found.groups] == [("low", 10), ("high", 0)]
    assert (found.diagnosis, found.bounds, found.to_judge, found.views) == (None, None, (), ())


def test_a_gain_has_no_enrichments(dataset: Dataset) -> None:
    found = cause_of(dataset, _scores(dataset, 30), _scores(dataset, 0), "nDCG@10")
    assert found.delta > 0
    assert found.enrichments == ()
