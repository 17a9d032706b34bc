"""A framework's search for one query, whose documents say in several places what their id is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.errors import AnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

Hit = tuple[str, float | None]
# How often twice as many chunks are asked for.
_DOUBLINGS = 6
_KEYS = ("id", "_id", "doc_id", "docid", "document_id", "source_id")


class DocumentSearch:
    """A retriever around `hits(query, k)`: (what may be its id, score or None), best first.

    Of what may be a document's id, the first that the corpus has is taken. Several hits on one
    document, its chunks, become one, the best; more are then asked for. `remedy` says how a user
    names the id where none is found.
    """

    def __init__(
        self,
        hits: Callable[[str, int], Iterable[tuple[Sequence[Any], float | None]]],
        *,
        libraries: Sequence[str],
        remedy: str,
    ) -> None:
        self.libraries = tuple(libraries)
        self._hits = hits
        self._remedy = remedy
        self._corpus: Container[str] = ()
        self._size = 0
        self._chunks = False

    @property
    def recorded(self) -> dict[str, str]:
        """That chunks were folded, once any were."""
        return {"chunks": "best of each document"} if self._chunks else {}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Note the ids: the framework holds its index already."""
        self._corpus, self._size = corpus, len(corpus)

    def search(self, query: str, top_k: int) -> list[tuple[str, float | None]]:
        """The best documents, each once."""
        found, folded = best_chunks(self._documents, query, min(top_k, self._size))
        self._chunks = self._chunks or folded
        return found

    def _documents(self, query: str, k: int) -> list[Hit]:
        return [(self._id(candidates), score) for candidates, score in self._hits(query, k)]

    def _id(self, candidates: Sequence[Any]) -> str:
        named = [str(one) for one in candidates if isinstance(one, (str, int)) and one != ""]
        for one in named:
            if one in self._corpus:
                return one
        ids = ", ".join(repr(one) for one in named[:3]) or "nothing"
        raise AnswerError(
            f"a document was found that names {ids} as its id, which the corpus does not have:"
            f" {self._remedy}"
        )


def ids_in(metadata: object, own: Iterable[object], id_key: str | None = None) -> list[object]:
    """What may be a document's id: under the given key, or its own and those of its metadata."""
    listed = metadata if isinstance(metadata, dict) else {}
    if id_key is not None:
        return [listed.get(id_key)]
    return [*own, *(listed.get(key) for key in _KEYS)]


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
