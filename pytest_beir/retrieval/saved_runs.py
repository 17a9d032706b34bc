"""Rankings saved while they arise, batch by batch, so that a long run can be taken up again.

For each retriever and dataset: `<dataset>.trec`, a run file; `<dataset>.manifest.json`, what made
it; `<dataset>.batches.jsonl`, one line per finished batch. A batch counts once its line is whole
and the run file holds all its bytes: whatever a killed process left behind that is cut off.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import IO, TYPE_CHECKING, Any

from pytest_beir.errors import RunFileError, UsageError
from pytest_beir.files.atomic import write_atomically
from pytest_beir.retrieval.run_files import read_run, run_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.retrieval.run_files import Run

_FORMAT = 1


@dataclass(frozen=True)
class Provenance:
    """The code that retrieves: its commit, and a hash of what is not committed (None: nothing)."""

    commit: str | None = None
    uncommitted: str | None = None


class SavedRuns:
    """The folder of `--beir-runs`: a run file per retriever and dataset.

    `file_name` turns a retriever's name into the name of its folder. `resume` takes up rankings
    whose manifest has the same retriever and version, corpus, queries and depth.
    """

    def __init__(
        self,
        folder: Path,
        *,
        file_name: Callable[[str], str],
        provenance: Provenance,
        resume: bool = False,
    ) -> None:
        self._folder = folder
        self._file_name = file_name
        self._provenance = provenance
        self._resume = resume

    def open(self, retriever: str, version: str | None, part: Dataset, top_k: int) -> SavedRun:
        """One dataset's rankings, to be used in a `with` block, which holds a lock on them.

        Raises:
            UsageError: Rankings are to be taken up from a retriever without a version.

        """
        if self._resume and version is None:
            raise UsageError(
                f"the retriever {retriever!r} declares no `version`, so it is unknown whether"
                " saved rankings are its own: add the attribute, or leave --beir-resume out"
            )
        made_by = {
            "format": _FORMAT,
            "retriever": retriever,
            "version": version,
            "dataset": part.name,
            "split": part.split,
            "fingerprints": {
                "queries": part.fingerprints.queries,
                "corpus": part.fingerprints.corpus,
            },
            "top_k": top_k,
        }
        run_file = self._folder / self._file_name(retriever) / f"{part.name}.trec"
        return SavedRun(
            run_file, made_by, self._provenance, tuple(part.queries), resume=self._resume
        )


class SavedRun:
    """One dataset's rankings on disk.

    `answered` are those taken up from an earlier run, {query id: {document id: score}}, queries
    answered with nothing included. `retrieved_again` says why an earlier run was not taken up,
    None where there was none to take or it was. `other_code` says which part was made by other
    code than this run's, None where all is known to be of one commit and one difference to it.
    """

    def __init__(
        self,
        run_file: Path,
        made_by: Mapping[str, Any],
        provenance: Provenance,
        queries: tuple[str, ...],
        *,
        resume: bool,
    ) -> None:
        self.path = run_file
        self.answered: Run = {}
        self.retrieved_again: str | None = None
        self.other_code: str | None = None
        self._provenance = provenance
        self._made_by = dict(made_by)
        self._queries = frozenset(queries)
        self._resume = resume
        self._manifest = run_file.with_suffix(".manifest.json")
        self._log = run_file.with_suffix(".batches.jsonl")
        from filelock import FileLock  # imports asyncio

        self._lock = FileLock(run_file.with_suffix(".lock"))
        self._done: set[str] = set()
        self._out: IO[bytes] | None = None
        self._log_out: IO[bytes] | None = None

    @property
    def resumed(self) -> bool:
        """Whether any ranking was taken up."""
        return bool(self.answered)

    def __enter__(self) -> SavedRun:  # noqa: PYI034  # Self needs Python 3.11
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            try:
                self._begin()
            except BaseException:
                self.__exit__(None, None, None)
                raise
        except OSError as error:
            raise self._unwritable(error) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None:
        for out in (self._out, self._log_out):
            if out is not None:
                out.close()
        self._out = self._log_out = None
        self._lock.release()

    def append(self, batch: Mapping[str, Mapping[str, float]]) -> None:
        """Save a batch's answers; once this returns, a killed process has not lost them.

        Raises:
            RunFileError: The disk refuses, or the file is not open.

        """
        if self._out is None or self._log_out is None:
            raise RunFileError(f"{self.path}: appended to outside of its `with` block")
        tag = str(self._made_by["retriever"])
        lines = b"".join(run_lines(query, documents, tag) for query, documents in batch.items())
        try:
            self._out.write(lines)
            self._out.flush()
            entry = {
                "queries": list(batch),
                "bytes": self._out.tell(),
                "sha256": hashlib.sha256(lines).hexdigest(),
                "code": asdict(self._provenance),
            }
            self._log_out.write(json.dumps(entry, ensure_ascii=False).encode("utf-8") + b"\n")
            self._log_out.flush()
        except OSError as error:
            raise self._unwritable(error) from error
        self._done.update(batch)

    def finish(self) -> None:
        """Note in the manifest that all was asked, and whether every query was answered."""
        self._write_manifest()

    def _begin(self) -> None:
        kept: list[dict[str, Any]] = []
        if self._resume and self._manifest.is_file():
            self.retrieved_again = self._difference()
            if self.retrieved_again is None:
                kept = list(self._whole_batches())
        size = kept[-1]["bytes"] if kept else 0
        if not kept:
            self._log.unlink(missing_ok=True)  # first, so that nothing counts that is overwritten
        self._out = self.path.open("r+b" if kept else "wb")
        self._out.truncate(size)
        self._out.seek(size)
        log = b"".join(json.dumps(one, ensure_ascii=False).encode("utf-8") + b"\n" for one in kept)
        self._log_out = self._log.open("wb")
        self._log_out.write(log)
        self._log_out.flush()
        if kept:
            found = read_run(self.path)
            queries = [query for one in kept for query in one["queries"] if query in self._queries]
            self.answered = {query: found.get(query, {}) for query in queries}
            self._done.update(self.answered)
            self.other_code = _difference(self._provenance, [one.get("code") for one in kept])
        self._write_manifest()

    def _difference(self) -> str | None:
        """What the manifest says otherwise than this run would, None if nothing."""
        try:
            manifest = json.loads(self._manifest.read_text(encoding="utf-8"))
            made_by = {key: manifest[key] for key in self._made_by}
        except (OSError, ValueError, TypeError, KeyError) as error:
            return f"{self._manifest}: not a readable manifest ({error})"
        differing = [key for key, value in self._made_by.items() if made_by[key] != value]
        if not differing:
            return None
        words = [
            f"{key} was {made_by[key]!r}, is {self._made_by[key]!r}"
            if key != "fingerprints"
            else "the dataset's content differs"
            for key in differing
        ]
        return f"{self.path}: made otherwise ({'; '.join(words)})"

    def _whole_batches(self) -> Iterator[dict[str, Any]]:
        """The batches, from the first, that are on disk in full."""
        if not (self._log.is_file() and self.path.is_file()):
            return
        with self._log.open("rb") as log, self.path.open("rb") as run_file:
            for line in log:
                batch = _batch(line)
                if batch is None:
                    return
                content = run_file.read(max(0, batch["bytes"] - run_file.tell()))
                whole = run_file.tell() == batch["bytes"]
                if not whole or hashlib.sha256(content).hexdigest() != batch["sha256"]:
                    return
                yield batch

    def _write_manifest(self) -> None:
        manifest = {
            **self._made_by,
            **asdict(self._provenance),
            "complete": self._done >= self._queries,
            "queries": len(self._queries),
            "answered": len(self._done),
        }
        try:
            write_atomically({self._manifest: json.dumps(manifest, indent=1) + "\n"})
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> RunFileError:
        return RunFileError(f"{self.path}: cannot be saved ({error.strerror or error})")


def _difference(now: Provenance, earlier: list[Any]) -> str | None:
    """How the code that made an earlier batch differs from the code of now."""
    for code in earlier:
        commit = code.get("commit") if isinstance(code, dict) else None
        if commit is None and now.commit is None:
            return "the code is not known: there is no git repository"
        if commit != now.commit:
            return f"commit {commit or 'unknown'}, now {now.commit or 'unknown'}"
        if code.get("uncommitted") != now.uncommitted:
            return f"commit {now.commit} with other uncommitted changes"
    return None


def _batch(line: bytes) -> dict[str, Any] | None:
    """A line of the log, None for one that is not whole."""
    if not line.endswith(b"\n"):
        return None
    try:
        batch = json.loads(line)
        queries, size = batch["queries"], batch["bytes"]
    except (ValueError, TypeError, KeyError):
        return None
    is_whole = isinstance(queries, list) and isinstance(size, int) and "sha256" in batch
    return batch if is_whole else None
