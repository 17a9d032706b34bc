"""The best documents of each query by exact comparison of embeddings, in bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

# Bytes of documents, and of scores, that are looked at together.
_BLOCK = 2**26
# Candidates beyond what is asked for: single precision may order the last ones otherwise.
_SLACK = 16


def best_documents(
    queries: Any, documents: Any, ids: Sequence[str], top_k: int
) -> Iterator[dict[str, float]]:
    """The `top_k` documents with the largest dot product, of each query in turn, best first.

    Both are matrices with a row for each, as NumPy's arrays (documents may be memory-mapped) or
    SciPy's sparse ones. A score does not depend on which queries are asked together: candidates
    are found at once, and then computed one by one.
    """
    depth = min(top_k, len(ids))
    width = min(depth + _SLACK, len(ids))
    rows = queries.shape[0]
    at_a_time = max(1, _BLOCK // (8 * max(1, min(len(ids), _BLOCK // 8))))
    at_a_time = max(at_a_time, 16)
    for start in range(0, rows, at_a_time):
        part = queries[start : start + at_a_time]
        for row, places in enumerate(_candidates(part, documents, width)):
            scores = _exactly(part[row : row + 1], documents, places)
            named = sorted(
                ((float(score), ids[place]) for score, place in zip(scores, places, strict=True)),
                reverse=True,
            )
            yield {document: score for score, document in named[:depth]}


def _candidates(queries: Any, documents: Any, width: int) -> NDArray[np.intp]:
    """The rows of the best documents of each query, in no order."""
    count = queries.shape[0]
    best = np.full((count, 0), -np.inf, dtype=np.float32)
    where = np.empty((count, 0), dtype=np.intp)
    bytes_a_row = 4 * max(documents.shape[1] if isinstance(documents, np.ndarray) else 64, count)
    step = max(width, _BLOCK // bytes_a_row)
    for start in range(0, documents.shape[0], step):
        block = documents[start : start + step]
        product = queries @ block.T
        scores = product.toarray() if hasattr(product, "toarray") else np.asarray(product)
        best = np.concatenate([best, scores.astype(np.float32, copy=False)], axis=1)
        places = np.broadcast_to(np.arange(start, start + block.shape[0]), scores.shape)
        where = np.concatenate([where, places], axis=1)
        if best.shape[1] > width:
            kept = np.argpartition(best, -width, axis=1)[:, -width:]
            best = np.take_along_axis(best, kept, axis=1)
            where = np.take_along_axis(where, kept, axis=1)
    return where


def _exactly(query: Any, documents: Any, places: NDArray[np.intp]) -> NDArray[np.float32]:
    """The dot products summed in double precision, document by document."""
    chosen = documents[np.sort(places)]
    if hasattr(chosen, "toarray"):
        sums = np.asarray(chosen.astype(np.float64).multiply(query.astype(np.float64)).sum(axis=1))
        sums = sums.ravel()
    else:
        sums = (chosen.astype(np.float64) * np.asarray(query, dtype=np.float64)).sum(axis=1)
    back = np.argsort(np.argsort(places, kind="stable"), kind="stable")
    return sums[back].astype(np.float32)
