"""Whether an answer is well formed: the first fault is an error that names query and document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from math import isfinite
from numbers import Real

from pytest_beir.errors import AnswerError
from pytest_beir.retrieval.order import best_first
from pytest_beir.retrieval.user_code import shown, text

_PAIR = 2


class Answers:
    """Checks what a retriever answers on one dataset, and cuts it to `top_k`.

    `corpus` holds the ids that may be answered with; None leaves them unchecked.
    """

    def __init__(self, dataset: str, corpus: Container[str] | None, top_k: int) -> None:
        self._dataset = dataset
        self._corpus = corpus
        self._top_k = top_k
        self._known: set[str] = set()

    def checked(self, answer: object, asked: Collection[str]) -> dict[str, dict[str, float]]:
        """The answer to these queries as plain floats, each cut to the best `top_k` documents.

        A query that was asked and is not in the answer stays absent. AnswerError for whatever is
        no {query id: {document id: score}}, for NaN and infinities, and for unknown ids.
        """
        if not isinstance(answer, Mapping):
            raise AnswerError(
                f"{self._dataset}: the retriever answered with {shown(answer)}; expected"
                " {query id: {document id: score}}"
            )
        checked = {}
        for query, documents in answer.items():
            if not isinstance(query, str):
                raise AnswerError(
                    f"{self._dataset}: the answer has the query id {shown(query)}; ids are text:"
                    " use the keys of `queries` as they come"
                )
            query = text(query)  # noqa: PLW2901
            if query not in asked:
                raise AnswerError(
                    f"{self._dataset}: query {query!r} was answered but never asked: use the keys"
                    " of `queries` as they come"
                )
            checked[query] = self._cut(query, self._scores(query, documents))
        return checked

    def _scores(self, query: str, documents: object) -> dict[str, float]:
        if not isinstance(documents, Mapping):
            raise AnswerError(
                f"{self._dataset}: query {query!r} was answered with {shown(documents)}; expected"
                f" {{document id: score}}{_repeated(documents)}"
            )
        scores = {}
        for document, score in documents.items():
            if not isinstance(document, str):
                raise AnswerError(
                    f"{self._dataset}: query {query!r}: the document id {shown(document)} is no"
                    " text: use the keys of `corpus` as they come"
                )
            if type(document) is not str:  # numpy's, or a member of an enum
                document = text(document)  # noqa: PLW2901
                if document in scores:
                    raise AnswerError(
                        f"{self._dataset}: query {query!r}: document {document!r} is in the answer"
                        " more than once"
                    )
            if type(score) is not float:
                score = self._number(query, document, score)  # noqa: PLW2901  # rare, and the same
            if not isfinite(score):
                raise AnswerError(
                    f"{self._dataset}: query {query!r}, document {document!r}: the score is"
                    f" {score}: only finite numbers can be ranked"
                )
            scores[document] = score
        return scores

    def _number(self, query: str, document: str, score: object) -> float:
        if isinstance(score, bool) or not isinstance(score, Real):
            raise AnswerError(
                f"{self._dataset}: query {query!r}, document {document!r}: the score is"
                f" {shown(score)}: give a float"
            )
        try:
            return float(score)
        except OverflowError:
            return float("inf")

    def _cut(self, query: str, scores: dict[str, float]) -> dict[str, float]:
        if len(scores) > self._top_k:
            scores = best_first(scores, self._top_k)
        if self._corpus is not None:
            for document in scores.keys() - self._known:
                if document not in self._corpus:
                    raise AnswerError(
                        f"{self._dataset}: query {query!r}: document {document!r} is not in the"
                        " corpus: was another dataset indexed, or are ids rewritten on the way?"
                    )
                self._known.add(document)
        return scores


def _repeated(documents: object) -> str:
    """Which document a list of pairs holds twice, as a mapping cannot."""
    if not isinstance(documents, Sequence) or isinstance(documents, (str, bytes)):
        return ""
    ids = [
        pair[0]
        for pair in documents
        if isinstance(pair, (tuple, list)) and len(pair) == _PAIR and isinstance(pair[0], str)
    ]
    twice = [document for document, times in Counter(ids).items() if times > 1]
    return f" (document {twice[0]!r} is in it more than once)" if twice else ""
