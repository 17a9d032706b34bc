"""bm25s: an index that is built, or one that is built from the corpus here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.adapters.classes import is_a

if TYPE_CHECKING:
    from collections.abc import Mapping

describes = "bm25s: a BM25, indexed or not"
_IDS = ("id", "_id", "doc_id", "docid")


def matches(value: Any) -> bool:
    """Whether it is an index of bm25s."""
    return is_a(value, "bm25s.BM25")


def adapt(value: Any, **tokenize: Any) -> Bm25sSearch:
    """A search over the index; `tokenize` is given on to `bm25s.tokenize`."""
    return Bm25sSearch(value, tokenize)


class Bm25sSearch:
    """A search over an index of bm25s, whose documents are known by their place.

    A query without a known word has an empty answer. Documents that score 0 are left out.
    """

    libraries = ("bm25s", "numpy")

    def __init__(self, index: Any, tokenize: Mapping[str, Any]) -> None:
        self._index = index
        self._tokenize = {"show_progress": False, **tokenize}
        self._is_built = hasattr(index, "scores")
        self._ids: list[str] = []

    @property
    def recorded(self) -> dict[str, str]:
        """The tokenizer's settings, where there are any."""
        given = {key: value for key, value in self._tokenize.items() if key != "show_progress"}
        shown = ", ".join(
            f"{key}={value if isinstance(value, (str, int, bool)) else type(value).__name__}"
            for key, value in given.items()
        )
        return {"tokenizer": shown or "bm25s's default"}

    def index(self, corpus: Mapping[str, Mapping[str, str]]) -> None:
        """Build the index, unless it came built: then its documents are the corpus's, in order."""
        self._ids = list(corpus)
        if self._is_built:
            self._ids = self._built_ids(corpus)
            return
        import bm25s

        texts = [f"{document['title']} {document['text']}".strip() for document in corpus.values()]
        self._index.index(bm25s.tokenize(texts, **self._tokenize), show_progress=False)

    def search(self, queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        """The best documents of each query."""
        import bm25s

        depth = min(top_k, len(self._ids))
        answers: dict[str, dict[str, float]] = {query: {} for query in queries}
        tokens = bm25s.tokenize(list(queries.values()), return_ids=False, **self._tokenize)
        known = self._index.vocab_dict
        asked = [
            (query, [word for word in words if word in known])
            for query, words in zip(queries, tokens, strict=True)
        ]
        asked = [(query, words) for query, words in asked if words]
        if not asked or not depth:
            return answers
        places, scores = self._index.retrieve(
            [words for _, words in asked],
            corpus=range(len(self._ids)),
            k=depth,
            show_progress=False,
        )
        for (query, _), row, values in zip(asked, places, scores, strict=True):
            answers[query] = {
                self._ids[int(place)]: float(score)
                for place, score in zip(row, values, strict=True)
                if score > 0
            }
        return answers

    def _built_ids(self, corpus: Mapping[str, Mapping[str, str]]) -> list[str]:
        """The ids of what the index holds: those of its own corpus, else the dataset's in order."""
        held = getattr(self._index, "corpus", None)
        count = int(self._index.scores["num_docs"])
        if held is not None and len(held) == count:
            ids = [_id(one) for one in held]
            if all(one in corpus for one in ids):
                return ids
        if count != len(corpus):
            raise RetrieverError(
                f"the bm25s index holds {count:,} documents and the corpus {len(corpus):,}: give an"
                " index that is not built, or one of this corpus in its order"
            )
        return list(corpus)


def _id(entry: Any) -> str:
    if isinstance(entry, dict):
        return str(next((entry[key] for key in _IDS if key in entry), ""))
    return str(entry)
