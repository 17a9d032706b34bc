"""LangSmith's examples: what goes in under `inputs`, what should come out under `outputs`."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_beir.inspection.golden.forms.answers_only import ANSWERS_ONLY
from pytest_beir.inspection.golden.forms.form import GoldenForm
from pytest_beir.inspection.golden.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.inspection.golden.content import Content
    from pytest_beir.inspection.golden.judgement import Judgement
    from pytest_beir.inspection.golden.records import Request

_PARTS = ("inputs", "outputs", "reference_outputs", "metadata")


def _recognises(content: Content) -> bool:
    return content.have("inputs") and all(
        isinstance(_part(record.get("inputs")), dict) for _, record in content.records
    )


def _part(value: Any) -> Any:
    """An object, also where a cell of a table holds it as JSON."""
    if isinstance(value, str) and value.startswith("{"):
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(value)
    return value


def _flattened(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the parts by their path: `inputs.question`."""
    fields = {}
    for name, value in record.items():
        part = _part(value) if name in _PARTS else value
        if name in _PARTS and isinstance(part, dict):
            fields.update({f"{name}.{inner}": each for inner, each in part.items()})
        else:
            fields[name] = value
    return fields


def _read(content: Content, request: Request) -> Iterator[Judgement]:
    flat = replace(
        content, records=[(place, _flattened(record)) for place, record in content.records]
    )
    if ANSWERS_ONLY.recognises(flat):
        yield from ANSWERS_ONLY.read(flat, request)
    else:
        yield from read_records(flat.records, request)


LANGSMITH = GoldenForm(
    name="LangSmith examples",
    recognised_by="objects with `inputs`, and documents in `outputs` or `metadata`",
    recognises=_recognises,
    read=_read,
)
