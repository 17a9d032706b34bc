"""Rankings of many queries side by side in columns, as a run file holds them.

A query's own `{document id: score}` is made when it is asked for. Scoring never asks: it compares
columns, and only ids that are judged, tied or among the first ten become Python's text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class RankingColumns:
    """The rankings of some queries, whole ones, one after the other.

    `bounds[i]` and `bounds[i + 1]` are where the lines of `queries[i]` begin and end; `documents`
    is an Arrow array of ids in dictionary form, `scores` has the finite score of each line.
    """

    queries: Sequence[str]
    bounds: NDArray[np.intp]
    documents: Any
    scores: NDArray[np.float64]

    def ids(self, lines: NDArray[np.intp] | slice) -> list[str]:
        """The document ids of some lines."""
        import pyarrow as pa

        if isinstance(lines, slice):
            part = self.documents.slice(lines.start, lines.stop - lines.start)
        else:
            part = self.documents.take(pa.array(lines))
        found: list[str] = part.dictionary_decode().to_pylist()
        return found

    def ranking(self, row: int) -> dict[str, float]:
        """One query's documents and scores."""
        lines = slice(int(self.bounds[row]), int(self.bounds[row + 1]))
        return dict(zip(self.ids(lines), self.scores[lines].tolist(), strict=True))

    def find(self, rows: NDArray[np.intp], documents: Sequence[str]) -> NDArray[np.intp]:
        """The line of each document in its row's ranking, -1 where it is not there."""
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = pa.array(documents, pa.string())
        known = wanted.dictionary_encode()
        places = pc.index_in(self.documents.dictionary, value_set=known.dictionary)
        of_code = places.fill_null(-1).to_numpy(zero_copy_only=False)
        of_line = of_code[self.documents.indices.to_numpy()]
        lines = np.flatnonzero(of_line >= 0)
        keys = self._row_of(lines) * len(known.dictionary) + of_line[lines]
        asked = rows * len(known.dictionary) + known.indices.to_numpy()
        found = np.full(len(asked), -1, dtype=np.intp)
        if len(keys):
            by_key = np.argsort(keys)
            place = np.minimum(np.searchsorted(keys[by_key], asked), len(keys) - 1)
            nearest = by_key[place]
            is_there = keys[nearest] == asked
            found[is_there] = lines[nearest[is_there]]
        return found

    def of_queries(self, wanted: Collection[str]) -> RankingColumns:
        """The rankings of the queries that are wanted."""
        kept = [row for row, query in enumerate(self.queries) if query in wanted]
        if len(kept) == len(self.queries):
            return self
        return self.taken(kept, [np.arange(self.bounds[row], self.bounds[row + 1]) for row in kept])

    def taken(self, rows: Iterable[int], lines: Sequence[NDArray[np.intp]]) -> RankingColumns:
        """Some lines of some rows."""
        import pyarrow as pa

        every = np.concatenate([np.empty(0, dtype=np.intp), *lines])
        return RankingColumns(
            [self.queries[row] for row in rows],
            np.cumsum([0, *map(len, lines)]),
            self.documents.take(pa.array(every)),
            self.scores[every],
        )

    def matrix(self) -> NDArray[np.float64]:
        """The scores, a row for each query, shorter ones filled up with -inf."""
        lengths = np.diff(self.bounds)
        width = int(lengths.max(initial=0))
        if len(self.scores) == width * len(lengths):
            return self.scores.reshape(len(lengths), width)
        padded = np.full((len(lengths), width), -np.inf)
        padded[np.arange(width) < lengths[:, None]] = self.scores
        return padded

    def _row_of(self, lines: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.searchsorted(self.bounds, lines, side="right") - 1


class RankingTable(Mapping[str, Mapping[str, float]]):
    """{query id: {document id: score}} over columns, in the order of the file."""

    def __init__(self, parts: Sequence[RankingColumns]) -> None:
        self.parts = parts

    @cached_property
    def _places(self) -> dict[str, tuple[RankingColumns, int]]:
        return {query: (part, row) for part in self.parts for row, query in enumerate(part.queries)}

    def __getitem__(self, query: str) -> dict[str, float]:
        part, row = self._places[query]
        return part.ranking(row)

    def __contains__(self, query: object) -> bool:
        return query in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
