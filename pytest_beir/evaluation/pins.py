"""Pinned queries: a document that must stand at some rank or better, whatever the statistics say.

`pinned.tsv` is UTF-8 with a header: `dataset`, `query`, `document`, `rank`, tabs between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.errors import ConfigError, DatasetError
from pytest_beir.evaluation.check import Check
from pytest_beir.files.lines import numbered_lines
from pytest_beir.scoring.ranking import order
from pytest_beir.scoring.scorer import DEPTH
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence
    from pathlib import Path

_COLUMNS = ("dataset", "query", "document", "rank")


@dataclass(frozen=True)
class Pin:
    """A document that a query must find at `rank` (1 is best) or better.

    `dataset` is None where the file has no such column: the suite then has one dataset. `place`
    is `pinned.tsv:LINE`.
    """

    dataset: str | None
    query: str
    document: str
    rank: int
    place: str


def read_pins(path: Path) -> tuple[Pin, ...]:
    """The pins of a file, in its order.

    Raises:
        ConfigError: A line is malformed or pinned twice; with file and line.

    """
    try:
        lines = [(number, _text(path, number, line)) for number, line in numbered_lines(path)]
    except DatasetError as error:
        raise ConfigError(f"pinned: {error}") from error
    if not lines:
        raise ConfigError(f"{path}: the file is empty; its first line is {_example(_COLUMNS)}")
    columns = _columns(path, *lines[0])
    pins: dict[tuple[str | None, str, str], Pin] = {}
    for number, line in lines[1:]:
        pin = _pin(path, number, columns, line.split("\t"))
        key = pin.dataset, pin.query, pin.document
        if key in pins:
            raise ConfigError(
                f"{path}:{number}: query {pin.query!r} and document {pin.document!r} are pinned in "
                f"{pins[key].place} too; keep one of the two"
            )
        pins[key] = pin
    return tuple(pins.values())


def check_datasets(pins: Iterable[Pin], declared: Sequence[str], known: Collection[str]) -> None:
    """Refuse pins that no run would ever look at.

    `declared` is the suite of this run, `known` every name that a suite may declare.

    Raises:
        ConfigError: A name is none of them, or several datasets are declared and the file does not
            say which one it means.

    """
    for pin in pins:
        if pin.dataset is None and len(declared) > 1:
            raise ConfigError(
                f"{pin.place}: the suite has {len(declared)} datasets, and the pin does not say "
                f"which one it means: add a first column 'dataset'"
            )
        if pin.dataset is not None and pin.dataset not in {*declared, *known}:
            near = did_you_mean(pin.dataset, {*declared, *known})
            raise ConfigError(f"{pin.place}: no dataset is called {pin.dataset!r}{near}")


def pins_of(
    pins: Iterable[Pin],
    dataset: str,
    queries: Collection[str],
    documents: Container[str] | None = None,
) -> tuple[Pin, ...]:
    """The pins of one dataset, checked against its judged queries and, where given, its documents.

    Raises:
        ConfigError: A query is not judged (only judged queries are sent), or the corpus does not
            hold a document.

    """
    own = tuple(pin for pin in pins if pin.dataset in (None, dataset))
    for pin in own:
        if pin.query not in queries:
            raise ConfigError(
                f"{pin.place}: {dataset} does not judge the query {pin.query!r}, and only judged "
                f"queries are searched{did_you_mean(pin.query, queries)}: judge it, or remove the "
                f"pin"
            )
        if documents is not None and pin.document not in documents:
            raise ConfigError(
                f"{pin.place}: {dataset} has no document {pin.document!r}: correct the id, or "
                f"remove the pin"
            )
    return own


def find_ranks(
    pins: Iterable[Pin],
    run: Mapping[str, Mapping[str, float]],
    *,
    prefix: str = "",
    drop_identical_ids: bool = False,
) -> dict[tuple[str, str], int | None]:
    """{(query, document): rank in the top 100, or None} of the pins that one run answers for.

    `prefix` is `android/` where the run is that of one part: pins name the query `android/123`.
    """
    rankings: dict[str, list[str]] = {}
    found: dict[tuple[str, str], int | None] = {}
    for pin in pins:
        if not pin.query.startswith(prefix):
            continue
        query = pin.query.removeprefix(prefix)
        if query not in rankings:
            own = query if drop_identical_ids else None
            rankings[query] = order(run.get(query, {}), drop=own, depth=DEPTH)
        ranked = rankings[query]
        is_found = pin.document in ranked
        found[pin.query, pin.document] = ranked.index(pin.document) + 1 if is_found else None
    return found


def check_pins(
    pins: Iterable[Pin], ranks: Mapping[tuple[str, str], int | None]
) -> tuple[Check, ...]:
    """Each pin as a check; `ranks` are those of `find_ranks`."""
    return tuple(
        Check(
            kind="pin",
            limit=pin.rank,
            now=ranks[pin.query, pin.document],
            query=pin.query,
            document=pin.document,
            place=pin.place,
        )
        for pin in pins
    )


def _columns(path: Path, number: int, line: str) -> tuple[str, ...]:
    columns = tuple(line.split("\t"))
    if columns not in (_COLUMNS, _COLUMNS[1:]):
        raise ConfigError(
            f"{path}:{number}: the first line is the header {_example(_COLUMNS)} "
            f"('dataset' may be left out in a suite of one), found {line!r}"
        )
    return columns


def _pin(path: Path, number: int, columns: tuple[str, ...], cells: list[str]) -> Pin:
    place = f"{path}:{number}"
    if len(cells) != len(columns):
        raise ConfigError(
            f"{place}: expected {len(columns)} cells with tabs between them "
            f"({', '.join(columns)}), found {len(cells)}"
        )
    row = dict(zip(columns, cells, strict=True))
    for column, cell in row.items():
        if not cell.strip():
            raise ConfigError(f"{place}: the {column} is empty")
    written = row["rank"].strip()
    rank = int(written) if written.isascii() and written.isdecimal() else 0
    if not 1 <= rank <= DEPTH:
        raise ConfigError(
            f"{place}: the rank is {written!r}; write the worst one that is allowed, 1 to {DEPTH}"
        )
    return Pin(row.get("dataset"), row["query"], row["document"], rank, place)


def _text(path: Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}:{number}: the line is not UTF-8; save it as UTF-8") from error


def _example(columns: tuple[str, ...]) -> str:
    return repr("\t".join(columns)).replace("'", "")
