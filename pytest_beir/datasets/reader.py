"""`load_dataset`: one split of a dataset, by the catalogue's name or from a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import cache_folder
from pytest_beir.datasets.corpus import Corpus
from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.datasets.fingerprint import qrels_fingerprint, queries_fingerprint
from pytest_beir.datasets.folder import find_folder
from pytest_beir.datasets.opening import open_corpus
from pytest_beir.datasets.problem import stop
from pytest_beir.datasets.qrels import read_qrels
from pytest_beir.datasets.queries import read_queries
from pytest_beir.errors import DatasetError

if TYPE_CHECKING:
    from pytest_beir.datasets.folder import Folder

_BUNDLED = Path(__file__).parent / "bundled"


def load_dataset(
    name_or_folder: str | os.PathLike[str],
    split: str | None = None,
    *,
    name: str | None = None,
    drop_identical_ids: bool | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    offline: bool = False,
    mirror: str | None = None,
) -> Dataset:
    """Give one split of a dataset, read strictly.

    A string without a `/` is a name of the catalogue, anything else a folder in BEIR's form.

    Raises:
        DatasetError: with file and line of what is missing or malformed.
    """
    cache = cache_folder(cache_dir)
    if isinstance(name_or_folder, str) and "/" not in name_or_folder:
        path = _BUNDLED / name_or_folder
        if not path.is_dir():
            raise DatasetError(f"unknown dataset {name_or_folder!r}")
        name = name or name_or_folder
    else:
        path = Path(name_or_folder).expanduser().absolute()
    return _load(
        find_folder(path),
        split,
        name=name or path.name,
        drop_identical_ids=bool(drop_identical_ids),
        cache=cache,
    )


def _load(
    folder: Folder, split: str | None, *, name: str, drop_identical_ids: bool, cache: Path
) -> Dataset:
    split = folder.split(split)
    judged = read_qrels(folder.qrels[split][0], stop)
    reading = read_queries(folder.queries[0], stop, wanted=judged)
    queries = {query: reading.texts[query] for query in sorted(reading.texts)}
    qrels = {query: judged[query] for query in queries}
    if not queries:
        raise DatasetError(f"{folder.queries[0]}: none of its queries is judged in split {split!r}")
    corpus = None
    if folder.corpus:
        corpus = Corpus(open_corpus(folder.corpus, cache), name=name, split=split, cache=cache)
    return Dataset(
        name=name,
        split=split,
        folder=folder.path,
        queries=queries,
        qrels=qrels,
        corpus=corpus,
        fingerprints=Fingerprints(
            queries=queries_fingerprint(queries),
            qrels=qrels_fingerprint(qrels),
            corpus=corpus.fingerprint if corpus else None,
        ),
        counts=Counts(
            documents=len(corpus) if corpus else None,
            queries=len(queries),
            judgements=sum(map(len, qrels.values())),
        ),
        drop_identical_ids=drop_identical_ids,
        metadata=reading.metadata,
    )
