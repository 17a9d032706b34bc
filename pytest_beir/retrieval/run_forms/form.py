"""What a form of run files is, beside TREC's six columns."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

from pytest_beir.errors import RunFileError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Run: TypeAlias = dict[str, dict[str, float]]


@dataclass(frozen=True)
class RunForm:
    """A form that rankings come in.

    `describes` is for people. `recognises` is given the path and the first line that is not
    blank, `read` the path and the whole content, unpacked.
    """

    describes: str
    recognises: Callable[[Path, bytes], bool]
    read: Callable[[Path, bytes], Run]


def add(run: Run, place: str, query: str, document: str, score: object) -> None:
    """Put one document into a run.

    Raises:
        RunFileError: The query has it already, or the score is not a finite number.

    """
    try:
        value = float(score) if isinstance(score, (int, float, str)) else float("nan")
    except ValueError:
        value = float("nan")
    if not isfinite(value) or isinstance(score, bool):
        raise RunFileError(
            f"{place}: query {query!r}, document {document!r}: the score is {score!r}, and only"
            " finite numbers can be ranked"
        )
    documents = run.setdefault(query, {})
    if document in documents:
        raise RunFileError(f"{place}: query {query!r} has document {document!r} a second time")
    documents[document] = value
