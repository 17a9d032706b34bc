"""`load_dataset`: one split of a dataset, by the catalogue's name or from a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import cache_folder
from pytest_beir.datasets.catalog import BUNDLED, load_catalog
from pytest_beir.datasets.dataset import Counts, Dataset, Fingerprints
from pytest_beir.datasets.fingerprint import (
    members_fingerprint,
    qrels_fingerprint,
    queries_fingerprint,
)
from pytest_beir.datasets.folder import find_folder
from pytest_beir.datasets.read_split import Expected, read_part
from pytest_beir.errors import DatasetError
from pytest_beir.files.paths import user_path

if TYPE_CHECKING:
    from pytest_beir.datasets.catalog import Entry

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def load_dataset(
    name_or_folder: str | os.PathLike[str],
    split: str | None = None,
    *,
    name: str | None = None,
    drop_identical_ids: bool | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    offline: bool = False,
    mirror: str | None = None,
    tolerant: bool = False,
) -> Dataset:
    """One split of a dataset, read strictly, with the corpus left on disk.

    A string without a `/` is a name of the catalogue: bundled data are read from the package,
    others from the cache folder, downloaded first where they are missing. Anything else is a
    folder in BEIR's form, called `name`, else after the folder. Under a catalogue's name the
    catalogue's rules apply (split, identical ids); what differs in its counts has the flag
    `differs-from-catalogue`. `split` is `test` unless given, else the only one there.
    With `tolerant` a judgement that is given twice counts once, with a warning; by default it is an
    error.

    Raises:
        DatasetError: with file and line of what is missing or malformed, and the remedy.
        DownloadError: the dataset could not be fetched.

    """
    cache = cache_folder(cache_dir)
    entry: Entry | None
    if is_name(name_or_folder):
        entry = load_catalog().entry(str(name_or_folder))
        path = find_local(entry, cache, offline=offline, mirror=mirror)
        name = name or entry.name
    else:
        path = user_path(name_or_folder)
        name = name or path.name
        entry = _entry_of(name, path)
    if drop_identical_ids is None:
        drop_identical_ids = entry is not None and entry.drop_identical_ids
    if entry is not None and entry.parts:
        return _load_parts(
            entry,
            path,
            split,
            name=name,
            drop_identical_ids=drop_identical_ids,
            cache=cache,
            tolerant=tolerant,
        )
    expected = None
    if entry is not None:
        expected = Expected(entry.documents, entry.queries, entry.split)
        split = split or _catalogues_split(entry, path)
    return read_part(
        path,
        split,
        name=name,
        drop_identical_ids=drop_identical_ids,
        cache=cache,
        expected=expected,
        tolerant=tolerant,
    )


def _catalogues_split(entry: Entry, path: Path) -> str:
    """The split that the catalogue scores a dataset on.

    Raises:
        DatasetError: the folder has others only: it is perhaps the user's own of that name.

    """
    there = find_folder(path).qrels
    if entry.split not in there:
        raise DatasetError(
            f"a dataset called {entry.name!r} is taken for the catalogue's, which is scored on"
            f" {entry.split!r}, and there are no judgements of split {entry.split!r} (there are:"
            f" {', '.join(there)})",
            file=path,
            remedy=f"data of your own need another name, such as my-{entry.name}={path}, or name"
            " the split",
        )
    return entry.split


def is_name(word: str | os.PathLike[str]) -> bool:
    """Tell a name of the catalogue from a folder: a string without a separator of folders."""
    return isinstance(word, str) and not any(sign in word for sign in {"/", os.sep})


def find_local(
    entry: Entry, cache: Path, *, offline: bool = False, mirror: str | None = None
) -> Path:
    """The folder of a dataset of the catalogue, downloaded first if need be.

    Raises:
        DatasetError: it cannot be downloaded by anybody without a licence.
        DownloadError: it could not be fetched, or must not be (`offline`).

    """
    if entry.availability == "bundled":
        return Path(str(BUNDLED)) / entry.name
    path = cache / "datasets" / entry.name
    if path.is_dir():
        return path
    if entry.availability == "restricted":
        raise DatasetError(
            f"{entry.name} cannot be downloaded from here. {entry.obtain} Then name the folder: "
            f"{entry.name}=FOLDER, or put it at {path}"
        )
    from pytest_beir.datasets.download import fetch

    return fetch(entry, cache, offline=offline, mirror=mirror)


def _entry_of(name: str, path: Path) -> Entry | None:
    catalog = load_catalog()
    head, _, tail = name.partition("/")
    if tail and head in catalog.entries and tail in catalog.entries[head].parts:
        return None  # one forum on its own is not the catalogue's dataset
    if not _NAME.fullmatch(name):
        raise DatasetError(
            f"{path}: {name!r} cannot be a dataset's name (letters, digits, '.', '_', '-'); "
            "give it one: NAME=FOLDER"
        )
    if name.lower() in catalog.sets:
        raise DatasetError(
            f"{path}: {name!r} is the name of a set of datasets; give it another: NAME=FOLDER"
        )
    return catalog.entries.get(name.lower())


def _load_parts(
    entry: Entry,
    path: Path,
    split: str | None,
    *,
    name: str,
    drop_identical_ids: bool,
    cache: Path,
    tolerant: bool,
) -> Dataset:
    missing = [part for part in entry.parts if not (path / part).is_dir()]
    if missing:
        raise DatasetError(
            f"{path}: lacks {', '.join(missing)}; {entry.name} is scored over all of its "
            f"{len(entry.parts)} members or not at all"
        )
    return join(
        name,
        path,
        tuple(
            read_part(
                path / part,
                split or entry.split,
                name=f"{name}/{part}",
                drop_identical_ids=drop_identical_ids,
                cache=cache,
                expected=Expected(facts.documents, facts.queries, entry.split),
                tolerant=tolerant,
            )
            for part, facts in sorted(entry.parts.items())
        ),
    )


def join(name: str, folder: Path, members: tuple[Dataset, ...]) -> Dataset:
    """The union of the members; query ids get the member's short name (`android/123`).

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
