"""The texts of queries by id, from a second file: JSON Lines, JSON, a table or TREC topics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import DatasetError
from pytest_beir.inspection.golden.content import read_content, suffix_of
from pytest_beir.inspection.golden.csv_table import read_text_file
from pytest_beir.inspection.golden.fields import QUERY, ranked
from pytest_beir.inspection.golden.judgement import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_IDS = (("id", "queryid", "qid", "questionid", "topicid", "number"),)
_TEXTS = (*QUERY, ("title", "name"))
_TOPIC = re.compile(r"<top>(.*?)(?=<top>|</top>|\Z)", re.DOTALL)
_TAG = re.compile(r"<(?P<tag>num|title)>\s*(?:Number:|Topic:)?(?P<value>[^<]*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<id>[^\t:]+)[\t:](?P<text>[^\t]+)")


def read_queries(path: Path) -> dict[str, str]:
    """{id: text} of a file of queries.

    Objects or rows with an id and a text; lines of `id<tab>text` without a header; a JSON object
    `{id: text}`; or TREC topics, of which the title is taken.

    Raises:
        DatasetError: With the place of what is missing, or given twice with another text.

    """
    texts: dict[str, str] = {}
    for place, identifier, text in _rows(path):
        known = texts.setdefault(
            text_of(place, "query_id", identifier), text_of(place, "query", text)
        )
        if known != text_of(place, "query", text):
            raise DatasetError(f"{place}: the query id {identifier!r} is used for two texts")
    if not texts:
        raise DatasetError(f"{path}: no queries in it")
    return texts


def _rows(path: Path) -> Iterator[tuple[str, Any, Any]]:
    if suffix_of(path) not in (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".parquet"):
        text = read_text_file(path)
        if "<top>" in text:
            yield from _topics(path, text)
            return
        plain = list(_without_header(path, text))
        if plain:
            yield from plain
            return
    content = read_content(path, lambda header: bool(_fields(header)))
    if not content.records and isinstance(content.whole, dict):
        yield from ((f"{path}: {key!r}", key, value) for key, value in content.whole.items())
        return
    for place, record in content.records:
        fields = _fields(record)
        if fields is None:
            raise DatasetError(
                f"{place}: a query has an id (_id, id, query_id, qid) and a text (text, query,"
                f" question); there are: {', '.join(record)}"
            )
        yield place, record[fields[0]], record[fields[1]]


def _fields(names: Iterable[str] | Mapping[str, Any]) -> tuple[str, str] | None:
    """The fields of the id and the text."""
    listed = list(names)
    ids, texts = ranked(listed, _IDS), ranked(listed, _TEXTS)
    return (ids[0][1], texts[0][1]) if ids and texts else None


def _without_header(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    """Lines of an id, a tab (or colon) and a text; nothing where the first one is a header."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    cells = [_NUMBERED.fullmatch(line.strip()) for _, line in lines]
    if not lines or not all(cells) or _fields(re.split(r"[\t,;|]", lines[0][1])):
        return
    for (number, _), match in zip(lines, cells, strict=True):
        if match:
            yield f"{path}:{number}", match["id"].strip(), match["text"]


def _topics(path: Path, text: str) -> Iterator[tuple[str, str, str]]:
    for topic in _TOPIC.finditer(text):
        line = text.count("\n", 0, topic.start()) + 1
        tags = {match["tag"].lower(): match["value"] for match in _TAG.finditer(topic[1])}
        if {"num", "title"} - tags.keys():
            raise DatasetError(f"{path}:{line}: a topic of TREC has <num> and <title>")
        yield f"{path}:{line}", tags["num"].strip(), " ".join(tags["title"].split())
