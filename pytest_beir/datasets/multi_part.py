"""A dataset of several parts, each retrieved on its own (CQADupStack and its forums)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.datasets.fingerprint import (
    members_fingerprint,
    qrels_fingerprint,
    queries_fingerprint,
)

if TYPE_CHECKING:
    from pathlib import Path


def join(name: str, folder: Path, members: tuple[Dataset, ...]) -> Dataset:
    """Give the union of the members; query ids get the member's short name (`android/123`).

    Document ids stay as they are: each belongs to its member's corpus.
    """
    named = {member.name.removeprefix(f"{name}/"): member for member in members}
    queries = {
        f"{short}/{query}": text
        for short, one in named.items()
        for query, text in one.queries.items()
    }
    qrels = {
        f"{short}/{query}": grades
        for short, one in named.items()
        for query, grades in one.qrels.items()
    }
    documents = [member.counts.documents for member in members]
    known = [count for count in documents if count is not None]
    return Dataset(
        name=name,
        split=members[0].split,
        folder=folder,
        queries=dict(sorted(queries.items())),
        qrels=dict(sorted(qrels.items())),
        corpus=None,
        fingerprints=Fingerprints(
            queries=queries_fingerprint(queries),
            qrels=qrels_fingerprint(qrels),
            corpus=_corpora(named),
        ),
        counts=Counts(
            documents=sum(known) if len(known) == len(documents) else None,
            queries=len(queries),
            judgements=sum(member.counts.judgements for member in members),
        ),
        drop_identical_ids=members[0].drop_identical_ids,
        metadata={
            f"{short}/{query}": fields
            for short, one in named.items()
            for query, fields in one.metadata.items()
        },
        members=members,
        flags=tuple(dict.fromkeys(flag for member in members for flag in member.flags)),
        warnings=tuple(
            f"{short}: {warning}" for short, one in named.items() for warning in one.warnings
        ),
    )


def _corpora(named: dict[str, Dataset]) -> str | None:
    known = {
        short: one.fingerprints.corpus for short, one in named.items() if one.fingerprints.corpus
    }
    return members_fingerprint(known) if len(known) == len(named) else None
