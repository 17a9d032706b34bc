"""Queries: `queries.jsonl`, ids and texts, with what is needed to group them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.record import plain_records, read_id, read_record, read_text
from pytest_beir.errors import DatasetError
from pytest_beir.files.lines import numbered_lines

_UNFIT = re.compile(r"[\t\n\r\0]")

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from pytest_beir.datasets.lint import Report


@dataclass
class QueryReading:
    """Queries as they are met: `texts` and `metadata` of the wanted ones, `lines` of all."""

    texts: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, dict[str, object]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, line: int, record: dict[str, Any], wanted: Container[str] | None) -> None:
        """Take one record.

        Raises:
            DatasetError: a field is missing or malformed, or the id was seen before.

        """
        query = read_id(record)
        text = read_text(record, "text")
        if query in self.lines:
            raise DatasetError(
                f"the id {query!r} is on line {self.lines[query]} too; ids are unique",
                kind="duplicate-id",
            )
        self.lines[query] = line
        if wanted is not None and query not in wanted:
            return
        self.texts[query] = text
        metadata = _metadata(record)
        if metadata:
            self.metadata[query] = metadata


def read_queries(
    files: tuple[Path, ...], report: Report, *, wanted: Container[str] | None = None
) -> QueryReading:
    """Read all queries; texts are kept of the `wanted` ids only, if these are given.

    Raises:
        DatasetError: a file cannot be read at all.

    """
    reading = QueryReading()
    for file in files:
        plain = None if reading.lines else _read_plain(file, wanted)
        if plain is not None:
            reading = plain
            continue
        for number, line in numbered_lines(file):
            try:
                reading.add(number, read_record(line), wanted)
            except DatasetError as error:  # noqa: PERF203 - each line is judged on its own
                report(error.at(file, number))
    if not reading.lines:
        report(DatasetError("the file holds no query", file=files[0], kind="no-queries"))
    return reading


def _read_plain(file: Path, wanted: Container[str] | None) -> QueryReading | None:
    """The queries of a file of which every line is a plain record; None where one is not.

    Plain is what has its `_id` and `text` once, and an id that needs no second look.
    """
    reading = QueryReading()
    for records in plain_records(file):
        if records is None:
            return None
        ids: list[Any] = [record.get("_id") for record in records]
        texts: list[Any] = [record.get("text") for record in records]
        if {*map(type, ids), *map(type, texts)} != {str} or not all(ids):
            return None
        before = len(reading.lines)
        reading.lines.update(zip(ids, range(before + 1, before + len(ids) + 1), strict=True))
        if len(reading.lines) - before < len(ids) or _UNFIT.search("".join(ids)):
            return None
        for record, query, text in zip(records, ids, texts, strict=True):
            if wanted is None or query in wanted:
                reading.texts[query] = text
                metadata = _metadata(record)
                if metadata:
                    reading.metadata[query] = metadata
    return reading


def _metadata(record: dict[str, Any]) -> dict[str, object]:
    metadata = record.get("metadata")
    known = dict(metadata) if isinstance(metadata, dict) else {}
    if "group" in record:
        known["group"] = record["group"]
    return known
