"""A part of a corpus on a worker: the mapping that a retriever indexes, over one block of bytes."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import cache_folder
from pytest_beir.datasets.corpus import StreamedCorpus
from pytest_beir.datasets.scan import read_document
from pytest_beir.distributed.shard import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.datasets.corpus import Document
    from pytest_beir.distributed.shard import Shard

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


def read_here(shard: Shard) -> bytes | None:
    """The bytes of a part from the file, None where this machine has no such file."""
    if shard.file is None:
        return None
    file = Path(shard.file)
    try:
        if file.stat().st_size != shard.size:
            return None
        with file.open("rb") as stream:
            stream.seek(shard.start)
            lines = stream.read(shard.end - shard.start)
    except OSError:
        return None
    return lines if digest_of(lines) == shard.digest else None


class ShardCorpus(StreamedCorpus):
    """Maps document id to `{"title": str, "text": str}`, as a whole corpus does."""

    def __init__(self, shard: Shard, lines: bytes, cache: Path | None = None) -> None:
        self.name = shard.dataset
        self.split = shard.split
        self.fingerprint = shard.fingerprint
        self._shard = shard
        self._lines = lines
        self._cache = cache
        self._places: dict[str, tuple[int, int]] | None = None

    @property
    def cache_dir(self) -> Path:
        """A folder on the worker for what a retriever wants to keep of this part."""
        name = f"{self.name.replace('/', '-')}-{self.fingerprint[:16]}"
        folder = cache_folder(self._cache) / "retrievers" / name
        with suppress(OSError):  # a read-only cache is the retriever's to notice, if it writes
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def __len__(self) -> int:
        return self._shard.count

    def __iter__(self) -> Iterator[str]:
        return (identifier for identifier, _ in self.stream())

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._found

    def __getitem__(self, identifier: str) -> Document:
        start, end = self._found[identifier]
        return _parsed(self._lines[start:end])[1]

    def stream(self) -> Iterator[tuple[str, Document]]:
        """Yield (id, document) in the order of the file."""
        for line in _LINE.finditer(self._lines):
            if not line[0].isspace():
                yield _parsed(line[0])

    @property
    def _found(self) -> dict[str, tuple[int, int]]:
        if self._places is None:
            self._places = {
                _parsed(line[0])[0]: line.span()
                for line in _LINE.finditer(self._lines)
                if not line[0].isspace()
            }
        return self._places


def _parsed(line: bytes) -> tuple[str, Document]:
    identifier, title, text = read_document(line)
    return identifier, {"title": title, "text": text}
