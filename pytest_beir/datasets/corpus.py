"""A corpus as retrievers see it: a read-only mapping that keeps its documents on disk."""

from __future__ import annotations

import io
import os
import weakref
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

from pytest_beir.datasets.corpus_index_cache import open_corpus
from pytest_beir.datasets.scan import read_document
from pytest_beir.errors import DatasetError
from pytest_beir.files.content import unreadable
from pytest_beir.files.lines import BYTE_ORDER_MARK

if TYPE_CHECKING:
    from pytest_beir.datasets.corpus_index_cache import OpenCorpus

Document = dict[str, str]


class StreamedCorpus(Mapping[str, Document]):
    """A corpus whose items and values are read once, from its beginning to its end."""

    def stream(self) -> Iterator[tuple[str, Document]]:
        """Yield (id, document) in the order of the corpus."""
        raise NotImplementedError

    def items(self) -> ItemsView[str, Document]:
        """(id, document) pairs in the order of the corpus."""
        return _Items(self)

    def values(self) -> ValuesView[Document]:
        """The documents in the order of the corpus."""
        return _Values(self)


class Corpus(StreamedCorpus):
    """Maps document id to `{"title": str, "text": str}`, read from disk when asked for.

    `name` and `split` are the dataset's, `fingerprint` stands for the content, `empty` and
    `repeated` count documents without text and with the text of an earlier one. Iteration
    streams in the order of the file, and `documents_read` counts it. Threads may share a corpus;
    a pickled one opens the files again where it is unpickled.
    """

    def __init__(self, opened: OpenCorpus, *, name: str, split: str, cache: Path) -> None:
        """Present an opened corpus; `cache` is the cache folder as a whole."""
        self.name = name
        self.split = split
        self.fingerprint = opened.index.summary.fingerprint
        self.empty = opened.index.summary.empty
        self.repeated = opened.index.summary.repeated
        self.documents_read = 0
        self._opened = opened
        self._index = opened.index
        self._cache = cache
        self._stream: IO[bytes] | None = None
        self._lock = Lock()

    @classmethod
    def open(cls, files: tuple[Path, ...], name: str, split: str, cache: Path) -> Corpus:
        """Open the corpus of these files, indexed now if it never was.

        Raises:
            DatasetError: a file cannot be read, or holds an error.

        """
        return cls(open_corpus(files, cache), name=name, split=split, cache=cache)

    @property
    def cache_dir(self) -> Path:
        """A folder of this corpus's own, made on first use, for what a retriever wants to keep."""
        folder = (
            self._cache / "retrievers" / f"{self.name.replace('/', '-')}-{self.fingerprint[:16]}"
        )
        with suppress(OSError):  # a read-only cache is the retriever's to notice, if it writes
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    @property
    def lines(self) -> Path | bytes:
        """Where the uncompressed lines are: a file, or memory where no file can be kept."""
        if isinstance(self._opened.lines, Path) and not self._opened.lines.is_file():
            self._open().close()  # an unpacked copy in the cache is made again
        return self._opened.lines

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Where the lines of documents number `first` to `end` (from 0) begin and end, in bytes."""
        if first == end:
            return 0, 0
        return self._index.span(first)[0], self._index.span(end - 1)[1]

    def __getitem__(self, identifier: str) -> Document:
        row = self._index.find(identifier) if isinstance(identifier, str) else None
        if row is None:
            raise KeyError(identifier)
        found, document = self._parse(self._read(*self._index.span(row)))
        if found != identifier:
            raise self._changed()
        return document

    def __contains__(self, identifier: object) -> bool:
        return isinstance(identifier, str) and self._index.find(identifier) is not None

    def __len__(self) -> int:
        return len(self._index)

    def __iter__(self) -> Iterator[str]:
        return self._index.ids()

    def __reduce__(self) -> tuple[Any, ...]:
        # An index of millions is not worth sending where the other side can map the file.
        return Corpus.open, (self._opened.files, self.name, self.split, self._cache)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Corpus):
            return self.fingerprint == other.fingerprint
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {len(self):,} documents>"

    def stream(self) -> Iterator[tuple[str, Document]]:
        """Yield (id, document) in the order of the file, one pass over it."""
        with self._open() as lines:
            for number, line in enumerate(lines):
                content = line.removeprefix(BYTE_ORDER_MARK) if number == 0 else line
                if not content.isspace():
                    self.documents_read += 1
                    yield self._parse(content)

    def _open(self) -> IO[bytes]:
        lines = self._opened.lines
        if isinstance(lines, bytes):
            return io.BytesIO(lines)
        try:
            return lines.open("rb", buffering=1 << 20)
        except OSError as error:
            if lines in self._opened.files:
                raise unreadable(lines, error) from error
        return self._open_again()

    def _open_again(self) -> IO[bytes]:
        """Open another copy of a compressed corpus, whose cache may be deleted at any time."""
        opened = open_corpus(self._opened.files, self._cache)
        if opened.index.summary.fingerprint != self.fingerprint:
            raise self._changed()
        self._opened = opened
        lines = opened.lines
        return io.BytesIO(lines) if isinstance(lines, bytes) else lines.open("rb")

    def _read(self, start: int, end: int) -> bytes:
        if isinstance(self._opened.lines, bytes):
            return self._opened.lines[start:end]
        with self._lock:
            if self._stream is None:
                self._stream = self._open()
                weakref.finalize(self, self._stream.close)
            if not hasattr(os, "pread"):
                self._stream.seek(start)
                return self._stream.read(end - start)
        return os.pread(self._stream.fileno(), end - start, start)

    def _parse(self, line: bytes) -> tuple[str, Document]:
        try:
            identifier, title, text = read_document(line)
        except DatasetError as error:
            raise self._changed() from error
        return identifier, {"title": title, "text": text}

    def _changed(self) -> DatasetError:
        lines = self._opened.lines
        place = lines if isinstance(lines, Path) else self.name
        return DatasetError(f"{place}: the corpus was changed while it was in use; run again")


class _Items(ItemsView[str, Document]):
    def __init__(self, corpus: StreamedCorpus) -> None:
        super().__init__(corpus)
        self._corpus = corpus

    def __iter__(self) -> Iterator[tuple[str, Document]]:
        return self._corpus.stream()


class _Values(ValuesView[Document]):
    def __init__(self, corpus: StreamedCorpus) -> None:
        super().__init__(corpus)
        self._corpus = corpus

    def __iter__(self) -> Iterator[Document]:
        return (document for _, document in self._corpus.stream())
