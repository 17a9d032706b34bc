"""The lint of a dataset's folder: every error with its place, every warning with its count."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pytest_beir.datasets.corpus import Corpus
from pytest_beir.datasets.corpus_index_cache import open_corpus
from pytest_beir.datasets.dataset import why_nothing_scores
from pytest_beir.datasets.folder import find_folder
from pytest_beir.datasets.lint import (
    Notice,
    Tolerance,
    corpus_notices,
    missing_notices,
    own_document_notices,
    qrels_notices,
    query_notices,
)
from pytest_beir.datasets.qrels import read_qrels
from pytest_beir.datasets.queries import QueryReading, read_queries
from pytest_beir.errors import DatasetError
from pytest_beir.inspection.additions import Target, check_addition
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path
    from typing import TypeVar

    from pytest_beir.datasets.folder import Folder
    from pytest_beir.datasets.lint import Report
    from pytest_beir.datasets.qrels import Qrels
    from pytest_beir.inspection.additions import Addition

    T = TypeVar("T")


@dataclass
class Findings:
    """What a check found: `documents` is None without a corpus.

    `queries` (judged) and `judgements` count one split: `test`, else the only one, else `dev`,
    else the first by name. `addition` is what a file of further judgements would add to it.
    """

    errors: list[DatasetError] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    documents: int | None = None
    queries: int = 0
    judgements: int = 0
    addition: Addition | None = None

    def as_json(self) -> dict[str, object]:
        """What `pytest-beir check --json` prints."""
        return {
            "errors": [
                {
                    "code": error.kind,
                    "file": str(error.file),
                    "line": error.line,
                    "message": error.explained,
                }
                for error in self.errors
            ],
            "warnings": [
                {"code": warning.code, "count": warning.count, "message": warning.message}
                for warning in self.warnings
            ],
            "documents": self.documents,
            "queries": self.queries,
            "judgements": self.judgements,
        }


def check_folder(
    path: Path, cache: Path, addition: Path | None = None, *, tolerant: bool = False
) -> Findings:
    """Read all of a dataset's folder, every file of judgements included, and tell what is wrong.

    `addition` is a file of further judgements, grades left blank included: whether they fit the
    split that is counted. Nothing ends the check early; what an unreadable file would have told is
    missing. With `tolerant` judgements that are given twice are a warning.
    """
    findings = Findings()
    folder = _tried(findings, path, lambda: find_folder(path))
    if folder is not None:
        _Check(folder, cache, findings, tolerant=tolerant).run(addition)
    return findings


class _Check:
    def __init__(self, folder: Folder, cache: Path, findings: Findings, *, tolerant: bool) -> None:
        self.folder = folder
        self.cache = cache
        self.findings = findings
        self.tolerance = Tolerance(findings.errors.append)
        self.report: Report = self.tolerance if tolerant else findings.errors.append

    def run(self, addition: Path | None) -> None:
        corpus = self._corpus()
        reading = self._queries()
        splits = self._splits()
        self.findings.warnings.extend(self.tolerance.notices())
        if reading is not None and splits:
            self._compare(reading, splits)
        self._corpus_warnings(corpus, _known(splits, reading))
        if reading is not None:
            self.findings.warnings.extend(
                own_document_notices(
                    self._named(_known(splits, reading)), reading.texts, corpus, dropped=None
                )
            )
        self._count(reading, splits)
        self._scores(corpus, reading, splits)
        if addition is not None and splits:
            self._add(addition, corpus, reading, splits)

    def _corpus(self) -> Corpus | None:
        files = self.folder.corpus
        if not files:
            self.findings.warnings.append(
                Notice(
                    "no-corpus", 1, "no corpus.jsonl; rankings cannot be checked against documents"
                )
            )
            return None
        opened = _tried(
            self.findings, files[0], lambda: open_corpus(files, self.cache, self.report)
        )
        if opened is None:
            return None
        self.findings.documents = len(opened.index)
        return Corpus(opened, name=self.folder.path.name, split="", cache=self.cache)

    def _queries(self) -> QueryReading | None:
        files = self.folder.queries
        return _tried(self.findings, files[0], lambda: read_queries(files, self.report))

    def _splits(self) -> dict[str, Qrels]:
        splits = {}
        for split, files in self.folder.qrels.items():
            qrels = _tried(self.findings, files[0], partial(read_qrels, files, self.report))
            if qrels:
                splits[split] = qrels
        return splits

    def _compare(self, reading: QueryReading, splits: dict[str, Qrels]) -> None:
        judged = {query for qrels in splits.values() for query in qrels}
        known = reading.lines.keys()
        counted = splits[_counted(splits)]
        texts = {query: text for query, text in reading.texts.items() if query in counted}
        self.findings.warnings.extend(query_notices(texts, len(known - judged)))
        self.findings.warnings.extend(qrels_notices(self._named(splits), known))

    def _corpus_warnings(self, corpus: Corpus | None, splits: dict[str, Qrels]) -> None:
        if corpus is not None:
            self.findings.warnings.extend(corpus_notices(corpus.empty, corpus.repeated))
            self.findings.warnings.extend(missing_notices(self._named(splits), corpus))

    def _named(self, splits: dict[str, Qrels]) -> dict[str, Qrels]:
        return {self.folder.qrels[split][0].name: qrels for split, qrels in splits.items()}

    def _count(self, reading: QueryReading | None, splits: dict[str, Qrels]) -> None:
        if not splits or reading is None:
            return
        qrels = splits[_counted(splits)]
        kept = [grades for query, grades in qrels.items() if query in reading.lines]
        self.findings.queries = len(kept)
        if not kept:
            self.report(
                DatasetError(
                    f"judges none of its queries in split {_counted(splits)!r}",
                    file=self.folder.queries[0],
                    remedy=f"do the ids in {self.folder.qrels[_counted(splits)][0].name} agree with"
                    " the ids here?",
                    kind="no-judged-queries",
                )
            )
        self.findings.judgements = sum(map(len, kept))

    def _scores(
        self, corpus: Corpus | None, reading: QueryReading | None, splits: dict[str, Qrels]
    ) -> None:
        """An error where no ranking of the counted split can score above 0."""
        if not splits or reading is None:
            return
        split = _counted(splits)
        kept = {q: grades for q, grades in splits[split].items() if q in reading.lines}
        file = self.folder.qrels[split][0]
        reason = why_nothing_scores([(kept, corpus, False)])
        if kept and reason:
            error = DatasetError(
                f"no ranking can score: {reason}",
                file=file,
                remedy="mend the judgements",
                kind="nothing-scores",
            )
            self.report(error)
        elif kept and why_nothing_scores([(kept, corpus, True)]):
            text = (
                f"every relevant document in {file.name} has its query's id: with"
                " drop_identical_ids no ranking can score"
            )
            self.findings.warnings.append(Notice("identical-ids", len(kept), text))

    def _add(
        self,
        file: Path,
        corpus: Corpus | None,
        reading: QueryReading | None,
        splits: dict[str, Qrels],
    ) -> None:
        split = _counted(splits)
        target = Target(
            splits[split],
            self.folder.qrels[split][0].name,
            None if reading is None else reading.lines,
            corpus,
        )
        added = _tried(self.findings, file, lambda: check_addition(file, target, self.report))
        self.findings.addition = added
        if added is not None and added.pending:
            text = f"{plural(added.pending, 'row')} of the addition without a grade: not yet judged"
            self.findings.warnings.append(Notice("not-yet-judged", added.pending, text))


def _known(splits: dict[str, Qrels], reading: QueryReading | None) -> dict[str, Qrels]:
    """The judgements that count: of queries that the folder holds."""
    if reading is None:
        return splits
    return {
        split: {query: grades for query, grades in qrels.items() if query in reading.lines}
        for split, qrels in splits.items()
    }


def _counted(splits: Collection[str]) -> str:
    """The split that a check counts: `test`, else the only one, else `dev`, else the first."""
    wanted = ("test", *(splits if len(splits) == 1 else ("dev", *sorted(splits))))
    return next(split for split in wanted if split in splits)


def _tried(findings: Findings, path: Path, read: Callable[[], T]) -> T | None:
    """What `read` gives; note a file that cannot be read at all, and give None."""
    try:
        return read()
    except DatasetError as error:
        findings.errors.append(error if error.file else error.at(path))
        return None
