"""What an import made and what it left out, named by id: for people and for machines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_beir.inspection.advice import size_advice
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.inspection.golden.golden_set import Dropped, GoldenSet

_SHOWN = 50  # of each kind; JSON names all
_QUERY_SHOWN = 60  # characters


def as_json(golden: GoldenSet, folder: str, split: str) -> dict[str, object]:
    """The report as JSON values; `dropped` and `warnings` name everything by id."""
    return {
        "folder": folder,
        "split": split,
        "form": golden.form,
        "read": list(golden.told),
        "documents": len(golden.documents),
        "queries": len(golden.queries),
        "judgements": sum(_grades(golden).values()),
        "grades": {str(grade): count for grade, count in sorted(_grades(golden).items())},
        "dropped": {
            "unknown_documents": [_row(one, golden.near) for one in golden.unknown],
            "unrated": [_row(one) for one in golden.unrated],
            "repeated": [_row(one) for one in golden.repeated],
            "unmatched_texts": [
                {**_row(one), "text": one.document, "reason": one.reason, "document": ""}
                for one in golden.unmatched
            ],
            "files": dict(golden.skipped_files),
            "queries_without_judgements": _queries(golden.unjudged),
        },
        "matched_texts": dict(golden.matched),
        "warnings": {
            "queries_without_relevant": _queries(
                {query: golden.queries[query] for query in golden.without_relevant}
            ),
            "empty_documents": list(golden.empty_documents),
            "ids_that_differ_by_case": _alike_but_for_case(golden),
            "unused_fields": list(golden.unused_fields),
        },
    }


def as_text(golden: GoldenSet, folder: str, split: str) -> str:
    """The report as lines for a terminal."""
    return "\n".join(_lines(golden, folder, split))


def _lines(golden: GoldenSet, folder: str, split: str) -> Iterator[str]:
    grades = _grades(golden)
    spread = ", ".join(f"{count} of grade {grade}" for grade, count in sorted(grades.items()))
    yield (
        f"{folder}: {plural(len(golden.documents), 'document')},"
        f" {plural(len(golden.queries), 'query')},"
        f" {plural(sum(grades.values()), 'judgement')} in split {split} ({spread})"
    )
    yield f"form: {golden.form}"
    yield from (f"  {sentence}" for sentence in golden.told)
    if golden.matched:
        how = [f"{count} {manner}" for manner, count in golden.matched.items()]
        yield f"reference texts found in documents: {', '.join(how)}"
    yield from _named(
        "left out: {}",
        "reference text",
        [
            f"{_quoted(one.document)} for {_quoted(one.query)}, {one.place}: {one.reason}"
            for one in golden.unmatched
        ],
    )
    yield from _named(
        "left out: {} without text to read",
        "file",
        [f"{name} ({why})" for name, why in golden.skipped_files.items()],
    )
    yield from _dropped("of a document that is not there", golden.unknown, golden.near)
    yield from _dropped("without a rating", golden.unrated)
    yield from _dropped("that repeats an earlier one", golden.repeated)
    yield from _named("left out: {} that no judgement is left of", "query", _shown(golden.unjudged))
    yield from _named(
        "look at: {} without a relevant document can only score 0",
        "query",
        _shown({query: golden.queries[query] for query in golden.without_relevant}),
    )
    yield from _named("look at: {} without text", "document", list(golden.empty_documents))
    yield from _named(
        "look at: {} with an id that differs only by case (macOS and Windows keep one such file)",
        "document",
        _alike_but_for_case(golden),
    )
    if golden.unused_fields:
        yield f"fields of the documents that are not used: {', '.join(golden.unused_fields)}"
    small = size_advice(len(golden.queries))
    if small:
        yield small


def _alike_but_for_case(golden: GoldenSet) -> list[str]:
    """The ids of documents that are one where a file system does not tell case apart."""
    folded = Counter(identifier.casefold() for identifier in golden.documents)
    return [identifier for identifier in golden.documents if folded[identifier.casefold()] > 1]


def _dropped(
    why: str, rows: Sequence[Dropped], near: Mapping[str, str] | None = None
) -> Iterator[str]:
    lines = []
    for one in rows:
        meant = (near or {}).get(one.document)
        hint = f"; did you mean {meant}?" if meant else ""
        lines.append(f"{one.document} for {_quoted(one.query)} ({one.query_id}), {one.place}{hint}")
    yield from _named(f"left out: {{}} {why}", "judgement", lines)


def _named(heading: str, noun: str, lines: Sequence[str]) -> Iterator[str]:
    if not lines:
        return
    yield heading.format(plural(len(lines), noun)) + ":"
    yield from (f"  {line}" for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"  and {len(lines) - _SHOWN} more (--json names all)"


def _shown(queries: Mapping[str, str]) -> list[str]:
    return [f"{query} {_quoted(text)}" for query, text in queries.items()]


def _quoted(text: str) -> str:
    short = text if len(text) <= _QUERY_SHOWN else text[: _QUERY_SHOWN - 1] + "…"
    return f'"{short}"'


def _grades(golden: GoldenSet) -> Counter[int]:
    return Counter(grade for grades in golden.qrels.values() for grade in grades.values())


def _row(one: Dropped, near: Mapping[str, str] | None = None) -> dict[str, str]:
    row = {
        "query_id": one.query_id,
        "query": one.query,
        "document": one.document,
        "place": one.place,
    }
    meant = (near or {}).get(one.document)
    return row | ({"nearest": meant} if meant else {})


def _queries(texts: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"query_id": query, "query": text} for query, text in texts.items()]
