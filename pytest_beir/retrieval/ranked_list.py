"""Rankings as answers: a list of ids, of (id, score) pairs, or of mappings with an id and a score.

The first document is the best one. Where the list has no scores, the score is −rank. Where it has
scores that follow its order, they are kept, unless the list orders documents that equal scores (at
32 bits, as scoring compares) leave open: then it is −rank too. Where scores and order contradict
each other, the scores count, as in a mapping.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from pytest_beir.errors import AnswerError
from pytest_beir.retrieval.user_code import shown

_IDS = ("id", "_id", "doc_id", "docid", "document_id", "docno")
_SCORES = ("score", "_score", "similarity", "relevance_score")
_DISTANCES = ("distance", "_distance")
_PAIR = 2
SCORES, RANKING, RANKED_SCORES = "scores", "ranking", "ranking with scores"


def is_ranked_list(answer: object) -> bool:
    """Whether the answer to one query is a ranking, and not a mapping or something else."""
    if isinstance(answer, (str, bytes, bytearray, memoryview)):
        return False
    return isinstance(answer, Sequence) or type(answer).__name__ == "ndarray"


def entries(where: str, answer: Any) -> list[tuple[object, object]]:
    """(document id, score or None) of each entry.

    Raises:
        AnswerError: an entry has no id, or some have scores and others have none.

    """
    rows = answer.tolist() if hasattr(answer, "tolist") else answer
    found = [_entry(where, entry) for entry in rows]
    scored = sum(score is not None for _, score in found)
    if 0 < scored < len(found):
        document = next(document for document, score in found if score is None)
        raise AnswerError(
            f"{where}: document {document!r} has no score but others have one: give all documents"
            " a score, or none"
        )
    return found


def by_rank(documents: Sequence[str]) -> dict[str, float]:
    """−rank as the score of each document, which come best first."""
    return {document: -float(rank) for rank, document in enumerate(documents, 1)}


def kept_order(scores: dict[str, float]) -> dict[str, float]:
    """The scores of a ranked list, or −rank where they leave open what the list decides."""
    values = list(scores.values())
    single = array("f", values)
    falls = all(first >= second for first, second in pairwise(values))
    if falls and len(set(single)) < len(single):
        return by_rank(list(scores))
    return scores


def _entry(where: str, entry: object) -> tuple[object, object]:
    if isinstance(entry, str):
        return entry, None
    if isinstance(entry, Mapping):
        return _from_mapping(where, entry)
    if isinstance(entry, (tuple, list)) and len(entry) == _PAIR:
        document, score = entry
        if isinstance(score, str) and not isinstance(document, str):
            raise AnswerError(
                f"{where}: the entry {shown(entry)} has its score first; give (id, score)"
            )
        return document, score
    raise AnswerError(
        f"{where}: the ranking has the entry {shown(entry)}; expected an id (text), an (id, score)"
        " pair, or a mapping with 'id' and 'score'"
    )


def _from_mapping(where: str, entry: Mapping[Any, Any]) -> tuple[object, object]:
    document = next((entry[name] for name in _IDS if name in entry), None)
    if document is None:
        raise AnswerError(
            f"{where}: the entry {shown(entry)} has no id; looked for the keys {', '.join(_IDS)}"
        )
    score = next((entry[name] for name in _SCORES if name in entry), None)
    distance = next((name for name in _DISTANCES if name in entry), None)
    if score is None and distance is not None:
        raise AnswerError(
            f"{where}: document {document!r} has {distance!r} and no score: a small distance is a"
            f" good one, a small score a bad one; give -{distance} as 'score'"
        )
    return document, score
