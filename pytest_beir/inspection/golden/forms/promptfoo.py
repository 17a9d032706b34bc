"""A promptfoo configuration whose tests name the documents that should be found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.fields import DOCUMENT, QUERY, REFERENCE, ranked
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request


def _tests(content: Content) -> list[tuple[str, dict[str, Any]]]:
    tests = content.whole.get("tests") if isinstance(content.whole, dict) else content.whole
    if not isinstance(tests, list):
        return []
    return [
        (f"{content.path}: test {number}", test)
        for number, test in enumerate(tests, 1)
        if isinstance(test, dict) and isinstance(test.get("vars"), dict)
    ]


def _fields(test: Mapping[str, Any]) -> dict[str, Any]:
    """The variables, the metadata, and the texts that a context is asserted to recall."""
    metadata = test.get("metadata")
    fields = {**(metadata if isinstance(metadata, dict) else {}), **test["vars"]}
    recalled = [
        check["value"]
        for check in test.get("assert") or []
        if isinstance(check, dict) and check.get("type") == "context-recall" and "value" in check
    ]
    if recalled and not ranked(fields, DOCUMENT) and not ranked(fields, REFERENCE):
        fields["reference_contexts"] = recalled
    return fields


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    records = [(place, _fields(test)) for place, test in _tests(content)]
    judged = [
        (place, fields)
        for place, fields in records
        if ranked(fields, DOCUMENT) or ranked(fields, REFERENCE) or request.names.document
    ]
    if not judged:
        there = dict.fromkeys(name for _, fields in records for name in fields)
        raise DatasetError(
            f"{content.path}: no test names documents (the variables are: {', '.join(there)});"
            " give each test a variable expected_doc_ids, or name the one that holds the ids:"
            " --document-column=…"
        )
    if len(judged) < len(records):
        request.told.append(f"{len(records) - len(judged)} tests name no document: not used")
    yield from read_records(replace(content, records=judged).records, request)


PROMPTFOO = GoldenForm(
    name="tests of promptfoo",
    recognised_by="`tests` that have `vars`",
    recognises=lambda content: (
        bool(_tests(content)) and any(ranked(test["vars"], QUERY) for _, test in _tests(content))
    ),
    read=_read,
)
