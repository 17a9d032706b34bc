"""tantivy: an index with a stored id, full or empty."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_beir.retrieval.adapters.classes import is_a
from pytest_beir.retrieval.adapters.document_search import DocumentSearch, ids_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

describes = "tantivy: an Index with a stored field for the id"
_WORD = re.compile(r"\w+")


def matches(value: Any) -> bool:
    """Whether it is an index of tantivy."""
    return is_a(value, "tantivy.Index")


def adapt(
    value: Any, id_key: str | None = None, fields: Sequence[str] = ("title", "text", "body")
) -> TantivySearch:
    """A search over the index; `id_key` is the field of the id, `fields` are those searched."""
    return TantivySearch(value, id_key, fields)


class TantivySearch(DocumentSearch):
    """A search for the words of a query: tantivy's query language is not spoken.

    An empty index is filled from the corpus: `id` (or `id_key`), `title` and `text`.
    """

    def __init__(self, index: Any, id_key: str | None, fields: Sequence[str]) -> None:
        super().__init__(
            self._hits_of,
            libraries=("tantivy",),
            remedy=(
                "store the corpus's id in a field `id`, or name the field:"
                " `pytest_beir.retrieval.adapters.tantivy.adapt(index, id_key=...)`"
            ),
        )
        self._index = index
        self._id_key = id_key
        self._fields = list(fields)
        index.reload()
        self._was_empty = index.searcher().num_docs == 0

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Fill the index where it came empty."""
        super().index(corpus)
        self._fields = [name for name in self._fields if self._has(name)]
        if not self._was_empty:
            return
        import tantivy

        key = self._id_key or "id"
        writer = self._index.writer()
        writer.delete_all_documents()
        for identifier, document in corpus.items():
            content = {key: identifier, "title": document["title"], "text": document["text"]}
            writer.add_document(
                tantivy.Document(**{name: [value] for name, value in content.items()})
            )
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def _has(self, field: str) -> bool:
        try:
            self._index.parse_query("word", [field])
        except ValueError:
            return False
        return True

    def _hits_of(self, query: str, k: int) -> Iterator[tuple[Sequence[Any], float]]:
        words = " ".join(_WORD.findall(query.lower()))
        if not words:
            return
        parsed = self._index.parse_query(words, self._fields)
        searcher = self._index.searcher()
        for score, place in searcher.search(parsed, k).hits:
            stored = {
                key: value[0] for key, value in searcher.doc(place).to_dict().items() if value
            }
            yield ids_in(stored, (), self._id_key), score
