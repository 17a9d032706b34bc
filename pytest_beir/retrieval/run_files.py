"""Rankings made elsewhere, as TREC run files: `query-id Q0 document-id rank score tag`.

Columns are separated by spaces or tabs; a line with exactly five tabs is split at these alone, so
that an id may hold spaces. Scores decide the order, the rank column does not. Files may be
gzipped, whatever their name. Other forms are in `run_forms`.
"""

from __future__ import annotations

import gzip
import os
import re
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.errors import RunFileError, UsageError
from pytest_beir.files.atomic import atomic_file
from pytest_beir.files.lines import opened, opened_pieces
from pytest_beir.files.paths import user_path
from pytest_beir.garbage import held_off
from pytest_beir.retrieval.run_blocks import plain_run
from pytest_beir.retrieval.run_columns import plain_table
from pytest_beir.retrieval.run_forms import other_run
from pytest_beir.retrieval.run_ranks import reversed_ranks
from pytest_beir.scoring.ranking import order

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

_COLUMNS = 6
_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UNFIT = re.compile(r"[\t\n\r\x0b\x0c\ud800-\udfff]")
_SHOWN = 5

Run = dict[str, dict[str, float]]


@dataclass(frozen=True)
class RunFiles:
    """Rankings made elsewhere: one TREC run file per dataset.

    In `pattern`, `{dataset}` stands for the dataset's name (`cqadupstack/android` for a forum).
    A relative path counts from the folder of the conftest, which the plugin gives; used by itself,
    from the working directory. Where `x.trec` is absent, `x.trec.gz` is taken. `name`, `version`
    and `trained_on` describe the system that made the rankings.
    """

    pattern: str | os.PathLike[str]
    name: str | None = None
    version: str | None = None
    trained_on: tuple[str, ...] | None = None
    folder: Path | None = None

    def __post_init__(self) -> None:
        unknown = set(re.findall(r"\{(\w*)\}", os.fspath(self.pattern))) - {"dataset"}
        if unknown:
            raise RunFileError(
                f"RunFiles({os.fspath(self.pattern)!r}): {{{min(unknown)}}} stands for nothing; the"
                " one placeholder is {dataset}"
            )

    def relative_to(self, folder: Path) -> RunFiles:
        """The same files, a relative pattern counting from `folder` unless it has one already."""
        return self if self.folder is not None else replace(self, folder=folder)

    def path(self, dataset: str) -> Path:
        """The dataset's run file.

        Raises:
            RunFileError: There is none; says where it was looked for.

        """
        written = os.fspath(self.pattern).replace("{dataset}", dataset)
        try:
            user_path(written)  # refused here where no file can have it
        except UsageError as error:
            raise RunFileError(f"RunFiles({written[:80]!r}): {error}") from None
        named = Path(written).expanduser()
        if not named.name:
            raise RunFileError(
                f"RunFiles({os.fspath(self.pattern)!r}) names no file: write the path of the run"
                " files, such as runs/{dataset}.trec"
            )
        plain = self.folder / named if self.folder is not None else named
        gzipped = plain.with_name(f"{plain.name}.gz")
        for path in (plain, gzipped, plain.with_name(f"{plain.name}.zst")):
            if path.is_file():
                return path
        beside = sorted(one.name for one in plain.parent.glob("*") if one.is_file())
        holds = ", ".join(beside[:_SHOWN]) + (", …" if len(beside) > _SHOWN else "")
        there = f"the folder holds {holds}" if holds else "there is no such folder, or it is empty"
        raise RunFileError(f"{plain}: no run file for {dataset} here, nor {gzipped.name}; {there}")

    @held_off
    def load(
        self, dataset: str, queries: Collection[str], top_k: int
    ) -> Mapping[str, Mapping[str, float]]:
        """The best `top_k` documents of each of these queries; others in the file are ignored."""
        path = self.path(dataset)
        run, content = other_run(path)
        if run is None and content is None:
            with opened_pieces(path, RunFileError, by_content=True) as pieces:
                table = plain_table(pieces, queries, top_k)
            if table is not None:
                return table
        if run is not None:
            run = {query: run[query] for query in run if query in queries}
        elif content is not None:
            run = _of_content(path, content, queries)
        else:
            run = _plain(path, queries, lambda documents: _cut(documents, top_k))
        if run is None:
            run = _read(path, queries)
        return {query: _cut(documents, top_k) for query, documents in run.items()}

    def notes(self, dataset: str) -> tuple[str, ...]:
        """What is to be said of the dataset's file though it can be read."""
        contrary = reversed_ranks(self.path(dataset))
        if not contrary:
            return ()
        note = (
            f"the rank column contradicts the scores in {contrary:,} of {contrary:,}"
            " queries; scores count, and larger ones are better: are these distances?"
        )
        return (note,)


def read_run(path: Path | str) -> Run:
    """{query id: {document id: score}} of a run file, plain or gzipped, in the order of the file.

    RunFileError names file and line of a line that has not six columns, a score that is no finite
    number, or a document that a query has twice.
    """
    path = Path(path)
    run, content = other_run(path)
    if run is None:
        run = _plain(path) if content is None else _of_content(path, content)
    return _read(path) if run is None else run


def _of_content(path: Path, content: bytes, queries: Collection[str] | None = None) -> Run:
    """The run in the unpacked content of a file whose lines cannot be asked for."""
    run = plain_run([content], queries)
    if run is None:
        raise RunFileError(
            f"{path}: some line does not have the six columns query-id Q0 document-id rank score"
            " tag, each document once; unpack the file to be told which"
        )
    return run


def _plain(
    path: Path,
    queries: Collection[str] | None = None,
    cut: Callable[[dict[str, float]], dict[str, float]] | None = None,
) -> Run | None:
    with opened_pieces(path, RunFileError, by_content=True) as pieces:
        return plain_run(pieces, queries, cut)


def _read(path: Path, queries: Collection[str] | None = None) -> Run:
    """The run read line by line, which finds the line of a fault."""
    run: Run = {}
    for line, query, document, score in _lines(path):
        if queries is None or query in queries:
            _add(run, path, line, query, document, score)
    return run


def write_run(path: Path | str, run: Mapping[str, Mapping[str, float]], tag: str) -> None:
    """Write a run file that `read_run` reads back exactly, gzipped if its name ends in `.gz`.

    Queries keep their order, documents are sorted best first and ranked from 1. Nobody sees a
    half-written file.

    Raises:
        RunFileError: The format cannot hold an id.

    """
    path = Path(path)
    content = b"".join(run_lines(query, documents, tag) for query, documents in run.items())
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    with atomic_file(path) as part:
        part.write_bytes(content)


def run_lines(query: str, documents: Mapping[str, float], tag: str) -> bytes:
    """The lines of one query, best document first, scores as Python's `repr`."""
    tag = "_".join(tag.split()) or "run"
    lines = []
    for rank, document in enumerate(order(documents), 1):
        spaced = " " in query or " " in document
        columns = (
            _fitting(query),
            "Q0",
            _fitting(document),
            str(rank),
            repr(float(documents[document])),
            tag,
        )
        lines.append(("\t" if spaced else " ").join(columns) + "\n")
    return "".join(lines).encode("utf-8")


def _fitting(identifier: str) -> str:
    outer = identifier != identifier.strip(" ")
    if not identifier or outer or _UNFIT.search(identifier):
        raise RunFileError(
            f"the id {identifier!r} cannot be written to a run file: it is empty, or holds tabs,"
            " line breaks, outer spaces or halves of surrogate pairs"
        )
    return identifier


def _lines(path: Path) -> Iterator[tuple[int, str, str, float]]:
    """(line number, query id, document id, score) of each line that is not blank."""
    with opened(path, RunFileError, by_content=True) as lines:
        for number, line in enumerate(lines, 1):
            content = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
            if content.count(b"\t") == _COLUMNS - 1:
                columns = [column.strip() for column in content.split(b"\t")]
            else:
                columns = content.split()
            if not columns:
                continue
            if len(columns) != _COLUMNS:
                raise RunFileError(
                    f"{path}:{number}: expected the six columns query-id Q0 document-id rank score"
                    f" tag, found {len(columns)}: {_shown(content)}"
                )
            try:
                query, document = columns[0].decode("utf-8"), columns[2].decode("utf-8")
            except UnicodeDecodeError:
                raise RunFileError(f"{path}:{number}: not UTF-8: {_shown(content)}") from None
            yield number, query, document, _score(columns[4], path, number)


def _score(text: bytes, path: Path, number: int) -> float:
    try:
        score = float(text.replace(b"_", b"?"))  # Python, and no other tool, reads 1_0 as 10
    except ValueError:
        raise RunFileError(
            f"{path}:{number}: the score (column five) is {_shown(text)}, no number"
        ) from None
    if not isfinite(score):
        raise RunFileError(
            f"{path}:{number}: the score is {score}: only finite numbers can be ranked"
        )
    return score


def _add(run: Run, path: Path, line: int, query: str, document: str, score: float) -> None:
    documents = run.setdefault(query, {})
    if document in documents:
        raise RunFileError(
            f"{path}:{line}: query {query!r} has document {document!r} a second time"
        )
    documents[document] = score


def _cut(documents: dict[str, float], top_k: int) -> dict[str, float]:
    if len(documents) <= top_k:
        return documents
    return {document: documents[document] for document in order(documents, depth=top_k)}


def _shown(content: bytes) -> str:
    return repr(content.decode("utf-8", "replace").strip()[:80])
