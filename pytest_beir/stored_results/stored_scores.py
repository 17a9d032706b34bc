"""Scores that were stored, as if they had just been measured: what they are compared by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.evaluation.evaluation import compare
from pytest_beir.evaluation.findings import Findings
from pytest_beir.evaluation.scored import Scored
from pytest_beir.scoring.scorer import Scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_beir.baselines.baseline import Baseline, Identity
    from pytest_beir.evaluation.evaluation import Evaluation
    from pytest_beir.evaluation.rules import Rules


def scored_again(
    stored: Baseline,
    *,
    retriever: str | None = None,
    version: str | None = None,
    resumed: bool = False,
    dataset: Dataset | None = None,
) -> Scored:
    """The current vectors of a baseline, or of a report's scores, as a dataset's scores of today.

    They bear the name `retriever` where it is given. Without `dataset` a stand-in of the stored
    identity takes its place, which knows no judgements and no texts.
    """
    return Scored(
        retriever=retriever or stored.retriever,
        version=version,
        trained_on=None,
        dataset=dataset or stand_in(stored.identity, stored.top10),
        scores=Scores(
            values=stored.current,
            top10=stored.top10,
            judged=stored.judged,
            # What was answered has a first document.
            missing=tuple(query for query, ids in stored.top10.items() if not ids),
            unjudged_queries=(),
        ),
        definitions=stored.definitions,
        checked_against_corpus=stored.identity.documents is not None,
        resumed=resumed,
    )


def compared_blindly(scored: Scored, baseline: Baseline | None, rules: Rules) -> Evaluation:
    """The evaluation of scores whose judgements are unknown, without what only these could tell."""
    found = compare(scored, baseline, rules)
    return replace(
        found,
        flags=tuple(flag for flag in found.flags if not flag.startswith("pool-")),
        findings=Findings(losers=found.findings.losers),
    )


def stand_in(identity: Identity, queries: Iterable[str]) -> Dataset:
    """A dataset of that identity whose queries have neither texts nor judgements."""
    fingerprints = Fingerprints(
        identity.queries_fingerprint, identity.qrels_fingerprint, identity.corpus_fingerprint
    )
    ids = sorted(queries)
    return Dataset(
        name=identity.name,
        split=identity.split,
        folder=Path(),
        queries=dict.fromkeys(ids, ""),
        qrels={query: {} for query in ids},
        corpus=None,
        fingerprints=fingerprints,
        counts=Counts(identity.documents, identity.queries, identity.judgements),
        drop_identical_ids=identity.drop_identical_ids,
        members=tuple(_part(identity, part, fingerprints) for part in identity.members),
    )


def _part(identity: Identity, part: str, fingerprints: Fingerprints) -> Dataset:
    return Dataset(
        name=f"{identity.name}/{part}",
        split=identity.split,
        folder=Path(),
        queries={},
        qrels={},
        corpus=None,
        fingerprints=fingerprints,
        counts=Counts(None, 0, 0),
        drop_identical_ids=identity.drop_identical_ids,
    )
