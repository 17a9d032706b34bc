"""JSON by query: `{query: {document: score}}` as ranx saves it, or `{query: [documents]}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.errors import AnswerError, RunFileError
from pytest_beir.files.content import decoded
from pytest_beir.files.json_file import parse_json
from pytest_beir.retrieval.ranked_list import by_rank, entries
from pytest_beir.retrieval.run_forms.form import Run, RunForm, add

if TYPE_CHECKING:
    from pathlib import Path


def _recognises(_: Path, first: bytes) -> bool:
    return first.lstrip()[:1] == b"{"


def _read(path: Path, content: bytes) -> Run:
    try:
        whole = parse_json(decoded(content, path, RunFileError), RunFileError)
    except RunFileError as error:
        raise error.at(path) from error.__cause__
    if not isinstance(whole, dict):
        raise RunFileError(f"{path}: expected an object with an answer for each query")
    run: Run = {}
    for query, answer in whole.items():
        place = f"{path}: query {query!r}"
        run[query] = {}
        if isinstance(answer, dict):
            for document, score in answer.items():
                add(run, place, query, document, score)
        elif isinstance(answer, list):
            _add_list(run, place, query, answer)
        else:
            raise RunFileError(
                f"{place}: expected {{document: score}} or a list of documents, not {answer!r:.60}"
            )
    return run


def _add_list(run: Run, place: str, query: str, answer: list[object]) -> None:
    try:
        listed = [(str(document), score) for document, score in entries(place, answer)]
    except AnswerError as error:
        raise RunFileError(str(error)) from None
    ranked = by_rank([document for document, _ in listed])
    for document, score in listed:
        add(run, place, query, document, ranked[document] if score is None else score)


JSON_RUN = RunForm(
    describes="JSON: {query: {document: score}} (ranx) or {query: [documents, best first]}",
    recognises=_recognises,
    read=_read,
)
