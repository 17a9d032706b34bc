"""Whether an answer is well formed: the first fault is an error that names query and document."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

from pytest_beir.errors import AnswerError
from pytest_beir.retrieval import ranked_list
from pytest_beir.retrieval.ties import Ties
from pytest_beir.retrieval.user_code import shown, text
from pytest_beir.scoring.ranking import order
from pytest_beir.scoring.ranking_table import RankingTable

_EXPECTED = "{document id: score} or a ranking (a list of ids, or of (id, score) pairs)"


class Answers:
    """Checks what a retriever answers on one dataset, and cuts it to `top_k`.

    `corpus` holds the ids that may be answered with; None leaves them unchecked. `forms` are the
    forms of answer that occurred, `ties` the scores that 32 bits cannot tell apart.
    """

    def __init__(self, dataset: str, corpus: Container[str] | None, top_k: int) -> None:
        self.forms: set[str] = set()
        self.ties = Ties(dataset)
        self._dataset = dataset
        self._corpus = corpus
        self._top_k = top_k
        self._known: set[str] = set()
        self._rising = 0
        self._listed = 0

    def checked(self, answer: object, asked: Collection[str]) -> Mapping[str, Mapping[str, float]]:
        """The answer to these queries as plain floats, each cut to the best `top_k` documents.

        A query that was asked and is not in the answer stays absent.

        Raises:
            AnswerError: it is no {query id: answer}, or has NaN, infinities or unknown ids.

        """
        if isinstance(answer, RankingTable):  # of a run file, whose reader has checked it
            self.forms.add(ranked_list.SCORES)
            self._add_table(answer)
            return answer
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
            checked[text(query)] = self._cut(query, self._scores(query, documents))
        return checked

    def _add_table(self, table: RankingTable) -> None:
        for part in table.parts:
            for row in self.ties.add_rows(part.matrix(), np.diff(part.bounds)):
                self.ties.add(part.queries[row], part.ranking(row))
            if self._corpus is not None:
                for row in range(len(part.queries)):
                    self._refuse_unknown(part.queries[row], part.ranking(row))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the answers though they can be scored."""
        if not self._rising:
            return self.ties.notes
        note = (
            f"in {self._rising:,} of {self._listed:,} rankings the scores rise"
            " from the first document to the last; larger scores count as better: are these"
            " distances? Then give -distance as the score"
        )
        return (note, *self.ties.notes)

    def _scores(self, query: str, documents: object) -> dict[str, float]:
        if isinstance(documents, Mapping):
            self.forms.add(ranked_list.SCORES)
            if _is_plain(documents):
                scores = dict(documents)
                self.ties.add(query, scores)
                return scores
            scores = {}
            for document, score in documents.items():
                if type(document) is not str:  # numpy's, or a member of an enum
                    document = self._id(query, document)  # noqa: PLW2901
                    if document in scores:
                        raise AnswerError(
                            f"{self._dataset}: query {query!r}: document {document!r} is in the"
                            " answer more than once"
                        )
                if type(score) is not float or not isfinite(score):
                    score = self._number(query, document, score)  # noqa: PLW2901
                scores[document] = score
            self.ties.add(query, scores)
            return scores
        if ranked_list.is_ranked_list(documents):
            return self._ranked(query, documents)
        raise AnswerError(
            f"{self._dataset}: query {query!r} was answered with {shown(documents)}; expected"
            f" {_EXPECTED}"
        )

    def _ranked(self, query: str, ranking: object) -> dict[str, float]:
        where = f"{self._dataset}: query {query!r}"
        entries = ranked_list.entries(where, ranking)
        ids = [self._id(query, document) for document, _ in entries]
        if len(set(ids)) < len(ids):
            twice = next(one for place, one in enumerate(ids) if one in ids[:place])
            raise AnswerError(
                f"{where}: document {twice!r} is in the ranking more than once; if these are parts"
                " of documents, fold them: Chunked(retriever)"
            )
        if not entries or entries[0][1] is None:
            self.forms.update([ranked_list.RANKING] if entries else [])
            return ranked_list.by_rank(ids)
        self.forms.add(ranked_list.RANKED_SCORES)
        scores = {
            document: self._number(query, document, score)
            for document, (_, score) in zip(ids, entries, strict=True)
        }
        values = list(scores.values())
        self._listed += len(values) > 1
        self._rising += values == sorted(values) and values[:1] < values[-1:]
        kept = ranked_list.kept_order(scores)
        self.ties.add(query, kept)
        return kept

    def _id(self, query: str, document: object) -> str:
        if not isinstance(document, str):
            raise AnswerError(
                f"{self._dataset}: query {query!r}: the document id {shown(document)} is not text:"
                " use the keys of `corpus` as they come"
            )
        return text(document)

    def _number(self, query: str, document: str, score: object) -> float:
        if isinstance(score, bool) or not isinstance(score, Real):
            raise AnswerError(
                f"{self._dataset}: query {query!r}, document {document!r}: the score is"
                f" {shown(score)}: give a float"
            )
        try:
            number = float(score)
        except OverflowError:
            number = float("inf")
        if not isfinite(number):
            raise AnswerError(
                f"{self._dataset}: query {query!r}, document {document!r}: the score is"
                f" {number}: only finite numbers can be ranked"
            )
        return number

    def _cut(self, query: str, scores: dict[str, float]) -> dict[str, float]:
        if len(scores) > self._top_k:
            scores = {document: scores[document] for document in order(scores, depth=self._top_k)}
        self._refuse_unknown(query, scores)
        return scores

    def _refuse_unknown(self, query: str, scores: Mapping[str, float]) -> None:
        if self._corpus is None:
            return
        for document in scores.keys() - self._known:
            if document not in self._corpus:
                raise AnswerError(
                    f"{self._dataset}: query {query!r}: document {document!r} is not in the"
                    " corpus: was another dataset indexed, or are ids rewritten on the way?"
                )
            self._known.add(document)


def _is_plain(documents: Mapping[Any, Any]) -> bool:
    """Whether ids and scores are what they should be already, asked of all at once."""
    return (
        set(map(type, documents)) <= {str}
        and set(map(type, documents.values())) <= {float}
        and isfinite(sum(documents.values()))
    )
