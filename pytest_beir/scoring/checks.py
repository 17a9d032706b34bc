"""Judgements and rankings that can be scored; anything else is an error that names its place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from pytest_beir.errors import ScoringError
from pytest_beir.phrasing import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TOO_LARGE = 2**63


def check_qrels(qrels: object) -> None:
    """Check that these are judgements by query id; grades are checked by `as_grades`.

    Raises:
        ScoringError: They are something else, or there are none.

    """
    if not isinstance(qrels, Mapping):
        raise ScoringError(
            "the judgements must be a mapping {query id: {document id: grade}},"
            f" not {_a(qrels)}"
        )
    if not qrels:
        raise ScoringError("there are no judgements: no query can be scored")
    _check_query_ids(qrels, "the judgements")


def as_grades(qrels: Mapping[str, Mapping[str, int]]) -> Mapping[str, Mapping[str, int]]:
    """Some queries' judgements with every grade an int.

    A whole number written as a float (`1.0`) is taken; a fraction, a bool, an id that is not text,
    or a query without judgements is a ScoringError.
    """
    if _are_plain(qrels.values()):
        return qrels
    return {query: _checked_grades(query, grades) for query, grades in qrels.items()}


def _are_plain(judgements: Collection[Any]) -> bool:
    """Whether all are filled dicts of text to int, found without a step of Python per grade."""
    return (
        {*map(type, judgements)} == {dict}
        and all(judgements)
        and {*map(type, chain.from_iterable(judgements))} == {str}
        and {*map(type, chain.from_iterable(map(dict.values, judgements)))} == {int}
    )


def as_integers(qrels: Mapping[str, Mapping[str, int]], grades: Sequence[int]) -> NDArray[np.int64]:
    """The grades of some judgements, side by side, as 64-bit integers.

    Raises:
        ScoringError: A grade does not fit, with its query and document.

    """
    try:
        return np.array(grades, dtype=np.int64)
    except OverflowError:
        query, document, grade = next(
            (query, document, grade)
            for query, judged in qrels.items()
            for document, grade in judged.items()
            if not -_TOO_LARGE <= grade < _TOO_LARGE
        )
        raise ScoringError(
            f"query {query!r}, document {document!r}: the grade {grade} is too large for a"
            " relevance grade (64 bits); is it an id?"
        ) from None


def unjudged_queries(run: object, qrels: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """Answered queries that nothing judges, sorted.

    Raises:
        ScoringError: No judged query is answered.

    """
    if not isinstance(run, Mapping):
        raise ScoringError(
            f"the run must be a mapping {{query id: {{document id: score}}}}, not {_a(run)}"
        )
    _check_query_ids(run, "the run")
    unjudged = run.keys() - qrels.keys()
    if len(unjudged) == len(run):
        answered = f" (the run answers {shortened(sorted(unjudged))})" if unjudged else ""
        raise ScoringError(
            f"none of the {len(qrels)} judged queries ({shortened(sorted(qrels))}) is answered"
            f"{answered}: do run and judgements belong to the same dataset?"
        )
    return tuple(sorted(unjudged))


def as_scores(query: str, answer: object) -> dict[str, float]:
    """One query's scores as finite floats.

    Raises:
        ScoringError: A document has another one; it is named.

    """
    if not isinstance(answer, Mapping):
        raise ScoringError(
            f"query {query!r}: the answer must be a mapping {{document id: score}},"
            f" not {_a(answer)}"
        )
    checked: dict[str, float] = {}
    for document, score in answer.items():
        if not isinstance(document, str):
            raise ScoringError(
                f"query {query!r}, document {document!r}: an id must be text, not {_a(document)}"
            )
        if isinstance(score, bool) or not isinstance(score, Real):
            raise ScoringError(
                f"query {query!r}, document {document!r}: the score must be a float,"
                f" not {score!r} ({_a(score)})"
            )
        try:
            checked[document] = float(score)
        except OverflowError:
            checked[document] = float("inf")
        if not isfinite(checked[document]):
            raise ScoringError(
                f"query {query!r}, document {document!r}: the score is {checked[document]},"
                " and only finite numbers can be ranked"
            )
    return checked


def _checked_grades(query: str, grades: object) -> Mapping[str, int]:
    if not isinstance(grades, Mapping):
        raise ScoringError(
            f"query {query!r}: its judgements must be a mapping {{document id: grade}},"
            f" not {_a(grades)}"
        )
    if not grades:
        raise ScoringError(f"query {query!r} has no judgements: leave it out of the qrels")
    checked: dict[str, int] = {}
    for document, grade in grades.items():
        if not isinstance(document, str):
            raise ScoringError(
                f"query {query!r}, judged document {document!r}: an id must be text,"
                f" not {_a(document)}"
            )
        whole = isinstance(grade, Integral) or (isinstance(grade, Real) and grade % 1 == 0)
        if not whole or isinstance(grade, bool):
            raise ScoringError(
                f"query {query!r}, document {document!r}: the grade must be a whole number,"
                f" not {grade!r}; nothing is rounded"
            )
        checked[document] = int(grade)
    return checked


def _check_query_ids(queries: Mapping[str, object], where: str) -> None:
    for query in queries:
        if not isinstance(query, str):
            raise ScoringError(f"query {query!r} in {where}: an id must be text, not {_a(query)}")


def _a(value: object) -> str:
    return f"a value of type {type(value).__name__}"
