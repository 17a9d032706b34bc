"""A golden set as a dataset folder, written whole or not at all."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING

from pytest_beir.errors import DatasetError, UsageError
from pytest_beir.files.atomic_folder import atomic_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_beir.inspection.golden.golden_set import GoldenSet

_SPLIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def check_target(folder: Path, split: str, *, force: bool) -> None:
    """Refuse a folder that must not be written to, before anything is read.

    Raises:
        UsageError: it holds something and `force` is not given, it holds judgements of other
            splits (their queries would be gone), or `split` cannot name a file.

    """
    if not _SPLIT.fullmatch(split):
        raise UsageError(f"--split={split}: letters, digits, '.', '_' and '-' make a split's name")
    if not folder.name:
        raise UsageError(f"{folder}: the root of a file system; name a folder in it")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: not a folder; name one that is empty or does not exist")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not force:
        raise UsageError(
            f"{folder}: the folder is not empty; name another, or replace the dataset in it with"
            " --force"
        )
    qrels = folder / "qrels"
    others = sorted(qrels.iterdir()) if qrels.is_dir() else []
    others = [path for path in others if path.name.removesuffix(".gz") != f"{split}.tsv"]
    if others:
        raise UsageError(
            f"{others[0]}: judgements of another split, whose queries would be gone; remove the"
            " file first"
        )


def write_folder(golden: GoldenSet, folder: Path, split: str) -> None:
    """Write `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`, sorted.

    The folder is replaced as one: killed at any moment it is the old one or the new one. Other
    files in it stay, gzipped ones of the same dataset are removed.

    Raises:
        DatasetError: the place cannot be written to.

    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with atomic_folder(folder) as part:
            (part / "qrels").mkdir(exist_ok=True)
            for name, lines in (
                ("corpus.jsonl", _corpus(golden)),
                ("queries.jsonl", _queries(golden)),
                (f"qrels/{split}.tsv", _qrels(golden)),
            ):
                (part / name).unlink(missing_ok=True)  # never written over: it is the old one's too
                (part / f"{name}.gz").unlink(missing_ok=True)
                _write_lines(part / name, lines)
    except (OSError, shutil.Error) as error:
        what = getattr(error, "strerror", None) or error
        raise DatasetError(
            f"cannot be written ({what})", file=folder, remedy="name a folder that is writable"
        ) from error


def _corpus(golden: GoldenSet) -> Iterable[str]:
    for identifier in sorted(golden.documents):
        title, text = golden.documents[identifier]
        yield _json({"_id": identifier, "title": title, "text": text})


def _queries(golden: GoldenSet) -> Iterable[str]:
    for query, text in sorted(golden.queries.items()):
        group = golden.groups.get(query)
        metadata = {"metadata": {"group": group}} if group is not None else {}
        yield _json({"_id": query, "text": text, **metadata})


def _qrels(golden: GoldenSet) -> Iterable[str]:
    yield "query-id\tcorpus-id\tscore"
    for query, grades in sorted(golden.qrels.items()):
        for document, grade in sorted(grades.items()):
            yield f"{query}\t{document}\t{grade}"


def _json(record: dict[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)
        stream.flush()
        os.fsync(stream.fileno())
