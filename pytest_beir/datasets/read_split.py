"""One split of one undivided dataset: judgements, the queries they judge, the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.datasets.corpus import Corpus
from pytest_beir.datasets.dataset import DIFFERS, Counts, Dataset, Fingerprints
from pytest_beir.datasets.fingerprint import qrels_fingerprint, queries_fingerprint
from pytest_beir.datasets.folder import find_folder
from pytest_beir.datasets.lint import (
    Tolerance,
    corpus_notices,
    missing_notices,
    own_document_notices,
    qrels_notices,
    query_notices,
    stop,
)
from pytest_beir.datasets.qrels import read_qrels
from pytest_beir.datasets.queries import read_queries
from pytest_beir.errors import DatasetError
from pytest_beir.garbage import held_off

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_beir.datasets.folder import Folder
    from pytest_beir.datasets.lint import Notice
    from pytest_beir.datasets.queries import QueryReading


@dataclass(frozen=True)
class Expected:
    """What the catalogue says of a dataset or of one of its parts, None where it says nothing."""

    documents: int | None = None
    queries: int | None = None
    split: str | None = None


@held_off
def read_part(
    path: Path,
    split: str | None,
    *,
    name: str,
    drop_identical_ids: bool,
    cache: Path,
    expected: Expected | None = None,
    tolerant: bool = False,
) -> Dataset:
    """One split of the dataset in a folder; the first error in its files ends the reading.

    Judgements of queries that the folder does not hold are left out; warnings say how many. With
    `tolerant` so do those that are given twice.
    What differs from `expected` is flagged.

    Raises:
        DatasetError: with file and line of what is missing or malformed.

    """
    folder = find_folder(path)
    split = folder.split(split)
    tolerance = Tolerance()
    judged = read_qrels(folder.qrels[split], tolerance if tolerant else stop)
    reading = read_queries(folder.queries, stop, wanted=judged)
    queries = {query: reading.texts[query] for query in sorted(reading.texts)}
    qrels = {query: judged[query] for query in queries}
    if not queries:
        raise DatasetError(
            f"{folder.queries[0]}: judges none of its queries in split {split!r}; "
            f"do the ids in {folder.qrels[split][0].name} agree with the ids here?"
        )
    corpus = _open(folder, name, split, cache)
    documents = None if corpus is None else len(corpus)
    notices = [
        *tolerance.notices(),
        *_notices(folder, judged, reading, corpus, qrels),
        *own_document_notices({"": qrels}, queries, corpus, dropped=drop_identical_ids),
    ]
    warnings = [notice.message for notice in notices]
    differences = list(_differences(expected, split, len(queries), documents))
    if differences:
        warnings.append(f"differs from the catalogue: {', '.join(differences)}")
    return Dataset(
        name=name,
        split=split,
        folder=path,
        queries=queries,
        qrels=qrels,
        corpus=corpus,
        fingerprints=Fingerprints(
            queries=queries_fingerprint(queries),
            qrels=qrels_fingerprint(qrels),
            corpus=None if corpus is None else corpus.fingerprint,
        ),
        counts=Counts(documents, len(queries), sum(map(len, qrels.values()))),
        drop_identical_ids=drop_identical_ids,
        metadata=reading.metadata,
        flags=(DIFFERS,) if differences else (),
        warnings=tuple(warnings),
    )


def _open(folder: Folder, name: str, split: str, cache: Path) -> Corpus | None:
    if not folder.corpus:
        return None
    return Corpus.open(folder.corpus, name, split, cache)


def _notices(
    folder: Folder,
    judged: Mapping[str, Mapping[str, int]],
    reading: QueryReading,
    corpus: Corpus | None,
    qrels: Mapping[str, Mapping[str, int]],
) -> Iterator[Notice]:
    # Another split's file may judge the rest, and is not read for a warning.
    is_only_split = len(folder.qrels) == 1
    unjudged = len(reading.lines) - len(reading.texts) if is_only_split else 0
    yield from query_notices(reading.texts, unjudged)
    yield from qrels_notices({"": judged}, reading.texts)
    if corpus is not None:
        yield from corpus_notices(corpus.empty, corpus.repeated)
        yield from missing_notices({"": qrels}, corpus)


def _differences(
    expected: Expected | None, split: str, queries: int, documents: int | None
) -> Iterator[str]:
    if expected is None:
        return
    if expected.split is not None and split != expected.split:
        yield f"split {split} instead of {expected.split}"
    elif expected.queries is not None and queries != expected.queries:
        yield f"{queries:,} judged queries instead of {expected.queries:,}"
    if documents is not None and expected.documents is not None and documents != expected.documents:
        yield f"{documents:,} documents instead of {expected.documents:,}"
