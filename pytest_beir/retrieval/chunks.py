"""Chunks folded into documents: retrievers that search parts of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Hit = tuple[str, float | None]
# How often twice as many chunks are asked for.
_DOUBLINGS = 6


def best_chunks(
    ask: Callable[[str, int], list[Hit]], query: str, top_k: int
) -> tuple[list[Hit], bool]:
    """The best hit on each document, best first, and whether any document had several.

    More hits are asked for until there are `top_k` documents or no further hits.
    """
    if top_k < 1:
        return [], False
    wanted, before = top_k, -1
    for _ in range(_DOUBLINGS):
        hits = ask(query, wanted)
        best: dict[str, float | None] = {}
        for document, score in hits:
            best.setdefault(document, score)
        if len(best) >= top_k or len(hits) < wanted or len(hits) == before:
            break
        wanted, before = wanted * 2, len(hits)
    return list(best.items())[:top_k], len(best) < len(hits)
