"""From a corpus's files to its index: taken from the cache, or made in one pass and kept there."""

from __future__ import annotations

import mmap
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import key_of, locked
from pytest_beir.datasets.index import CorpusIndex, sections
from pytest_beir.datasets.lint import stop
from pytest_beir.datasets.scan import scan_corpus
from pytest_beir.errors import DatasetError
from pytest_beir.files.atomic import atomic_file
from pytest_beir.files.content import unreadable
from pytest_beir.files.lines import opened

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_beir.datasets.index import Section
    from pytest_beir.datasets.lint import Report

_RACY_NS = 100_000_000  # a file this young when it was read may change under an equal time stamp


@dataclass(frozen=True)
class OpenCorpus:
    """An index and the lines it points into: a file, or bytes where no file can be kept."""

    files: tuple[Path, ...]
    index: CorpusIndex
    lines: Path | bytes


def open_corpus(files: tuple[Path, ...], cache: Path, report: Report = stop) -> OpenCorpus:
    """The index of a corpus, made now if the cache holds none of this state of the files.

    One plain file is read where it lies. Compressed ones (`.gz`, `.parquet`) allow no random
    access, so that they are unpacked once, into the cache. Where the cache cannot be written
    to, both stay in memory. With a `report` that returns, an index of the usable documents is
    made, and not kept.

    Raises:
        DatasetError: a file cannot be read, or (with `stop`) the first error in it.

    """
    opening = _Opening(files, cache / "corpora" / key_of(files[0]))
    found = opening.find()
    if found is not None:
        return found
    try:
        with locked(opening.folder / "index"):
            return opening.find() or opening.make(report)
    except OSError:  # a cache that cannot be written to, or that somebody has just deleted
        return opening.make_in_memory(report)


class _Opening:
    def __init__(self, files: tuple[Path, ...], folder: Path) -> None:
        self.files = files
        self.folder = folder
        self.is_packed = len(files) > 1 or files[0].suffix != ".jsonl"
        states = [_stat(path) for path in files]
        # Size and time alone can be set back (`cp -p`, `touch -r`): inode and ctime cannot.
        state = " ".join(
            f"{state.st_size}-{state.st_mtime_ns}-{state.st_ctime_ns}-{state.st_ino}"
            for state in states
        )
        self.state = sha256(state.encode()).hexdigest()
        self.newest = max(max(state.st_mtime_ns, state.st_ctime_ns) for state in states)
        private = min(range(len(files)), key=lambda each: states[each].st_mode & 0o077)
        self.most_private = files[private]

    @property
    def lines(self) -> Path:
        return self.folder / "corpus.jsonl" if self.is_packed else self.files[0]

    def find(self) -> OpenCorpus | None:
        try:
            index = CorpusIndex(_mapped(self.folder / "index"))
            if self.is_packed and self.lines.stat().st_size != index.summary.size:
                return None
        except (OSError, ValueError, TypeError):
            return None  # none there, or one that another version or a full disk left behind
        is_current = (
            index.summary.state == self.state
            and abs(index.summary.scanned_ns - self.newest) > _RACY_NS
        )
        return OpenCorpus(self.files, index, self.lines) if is_current else None

    def make(self, report: Report) -> OpenCorpus:
        if not self.is_packed:
            index = self._kept(_all_lines(self.files), report)
            return OpenCorpus(self.files, index, self.lines)
        with atomic_file(self.lines, copy_of=self.most_private) as part:
            with part.open("wb") as out:
                out.writelines(_all_lines(self.files))
            index = self._kept(_copied_lines(part), report)
        return OpenCorpus(self.files, index, self.lines)

    def make_in_memory(self, report: Report) -> OpenCorpus:
        index = _in_memory(*self._scanned(_all_lines(self.files), report))
        lines = b"".join(_all_lines(self.files)) if self.is_packed else self.lines
        return OpenCorpus(self.files, index, lines)

    def _kept(self, lines: Iterator[bytes], report: Report) -> CorpusIndex:
        problems: list[DatasetError] = []

        def note(problem: DatasetError) -> None:
            problems.append(problem)
            report(problem)

        parts = self._scanned(lines, note)
        header = next(parts)  # the last problems are found before there is one
        if problems:
            return _in_memory(header, *parts)
        target = self.folder / "index"
        with atomic_file(target, copy_of=self.most_private) as part, part.open("wb") as out:
            out.write(header)
            out.writelines(parts)
        return CorpusIndex(_mapped(target))

    def _scanned(self, lines: Iterator[bytes], report: Report) -> Iterator[Section]:
        now = time.time_ns()
        scan = scan_corpus(self.files[0], lines, report)
        if not scan.documents:
            report(
                DatasetError(
                    "the corpus holds no document", file=self.files[0], kind="no-documents"
                )
            )
        return sections(scan, report, state=self.state, scanned_ns=now)


def _in_memory(*parts: Section) -> CorpusIndex:
    return CorpusIndex(memoryview(b"".join(parts)))


def _mapped(path: Path) -> memoryview:
    with path.open("rb") as stream:
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def _all_lines(files: tuple[Path, ...]) -> Iterator[bytes]:
    for file in files:
        with opened(file) as lines:
            yield from lines


def _copied_lines(part: Path) -> Iterator[bytes]:
    """The lines of our own copy; what goes wrong there is not the dataset's fault."""
    with part.open("rb", buffering=1 << 20) as lines:
        yield from lines


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
