"""A part of a corpus, as it travels: a file with two byte offsets, and what must be found there."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_beir.datasets.corpus import Corpus

_CHUNK = 2**20


@dataclass(frozen=True)
class Shard:
    """Documents `first` to `first + count` of a corpus, by their place in a file of lines.

    `size` is the whole file's and `digest` that of the bytes from `start` to `end`. `file` is
    None where the lines are in memory alone. `fingerprint` stands for the documents.
    """

    dataset: str
    split: str
    number: int
    shards: int
    first: int
    count: int
    file: str | None
    start: int
    end: int
    size: int
    digest: str
    fingerprint: str

    @property
    def place(self) -> str:
        """Which part it is, for a message."""
        return f"{self.dataset}, shard {self.number + 1} of {self.shards}"


def cut(corpus: Corpus, shards: int, multiple: int = 1) -> list[Shard]:
    """The corpus in at most so many parts of about equal size in bytes, in its own order.

    Parts begin at multiples of `multiple` documents, so that there may be fewer.
    """
    lines = corpus.lines
    count = len(corpus)
    total = corpus.span(0, count)[1]
    borders = [0]
    for number in range(1, shards):
        border = _first_from(corpus, total * number // shards)
        border = round(border / multiple) * multiple
        if borders[-1] < border < count:
            borders.append(border)
    borders.append(count)
    parts = list(pairwise(borders))
    return [
        _shard(corpus, lines, number, len(parts), first, end)
        for number, (first, end) in enumerate(parts)
    ]


def _shard(
    corpus: Corpus, lines: Path | bytes, number: int, shards: int, first: int, end: int
) -> Shard:
    start, stop = corpus.span(first, end)
    if isinstance(lines, Path):
        file, size = str(lines.resolve()), lines.stat().st_size
        digest = digest_of_file(lines, start, stop)
    else:
        file, size, digest = None, len(lines), digest_of(lines[start:stop])
    return Shard(
        dataset=corpus.name,
        split=corpus.split,
        number=number,
        shards=shards,
        first=first,
        count=end - first,
        file=file,
        start=start,
        end=stop,
        size=size,
        digest=digest,
        fingerprint=corpus.fingerprint if shards == 1 else digest,
    )


def digest_of(lines: bytes) -> str:
    """What tells these bytes from any others."""
    return blake2b(lines, digest_size=32).hexdigest()


def digest_of_file(file: Path, start: int, end: int) -> str:
    """The digest of a part of a file, read piece by piece."""
    digest = blake2b(digest_size=32)
    with file.open("rb") as stream:
        stream.seek(start)
        while start < end and (piece := stream.read(min(_CHUNK, end - start))):
            digest.update(piece)
            start += len(piece)
    return digest.hexdigest()


def read(shard: Shard, corpus: Corpus) -> bytes:
    """The bytes of a part, to be sent where the file cannot be read."""
    lines = corpus.lines
    if isinstance(lines, bytes):
        return lines[shard.start : shard.end]
    with lines.open("rb") as stream:
        stream.seek(shard.start)
        return stream.read(shard.end - shard.start)


def _first_from(corpus: Corpus, offset: int) -> int:
    """The number of the first document that begins at this byte or behind it."""
    low, high = 0, len(corpus)
    while low < high:
        middle = (low + high) // 2
        if corpus.span(middle, middle + 1)[0] < offset:
            low = middle + 1
        else:
            high = middle
    return low
