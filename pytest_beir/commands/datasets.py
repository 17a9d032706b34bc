"""`pytest-beir datasets`: the catalogue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_beir.commands import printing
from pytest_beir.datasets.catalog import load_catalog

if TYPE_CHECKING:
    import argparse

    from pytest_beir.datasets.catalog import Catalog, Entry

_FIELDS = (
    "name",
    "split",
    "documents",
    "queries",
    "judgements",
    "grades",
    "zip_md5",
    "licence",
    "availability",
    "drop_identical_ids",
    "sets",
    "members",
    "caveats",
)
_MORE = ("title", "task", "domain", "mean_query_words", "mean_document_words", "obtain", "parent")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "datasets",
        help="list the catalogue",
        description="List every dataset known by name, its facts and caveats, and the named sets.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, in full")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the catalogue as a table, the named entries in full, or either as JSON."""
    catalog = load_catalog()
    entries = [catalog.entry(name) for name in args.names] or list(catalog.entries.values())
    if args.json:
        print(json.dumps([_as_json(entry) for entry in entries], ensure_ascii=False, indent=1))  # noqa: T201
    elif args.names:
        print("\n\n".join(_in_full(entry, catalog) for entry in entries))  # noqa: T201
    else:
        _print_table(entries, catalog)
    return 0


def _as_json(entry: Entry) -> dict[str, object]:
    return {name: getattr(entry, name) for name in (*_FIELDS, *_MORE)}


def _in_full(entry: Entry, catalog: Catalog) -> str:
    facts = _as_json(entry)
    lines = [f"{name}: {_shown(facts[name])}" for name in facts if name not in ("caveats", "sets")]
    lines += [f"in {name}: {catalog.sets[name].used_by}" for name in entry.sets]
    return "\n".join([*lines, *(f"note: {caveat}" for caveat in entry.caveats)])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {count:,}" for name, count in value.items()) or "-"
    if isinstance(value, tuple):
        return ", ".join(value) or "-"
    return "-" if value is None else str(value)


def _print_table(entries: list[Entry], catalog: Catalog) -> None:
    console = printing.console()
    table = printing.table(
        ("dataset", "fixed"),
        ("split", "text"),
        ("documents", "number"),
        ("queries", "number"),
        ("judgements", "number"),
        ("get it by", "text"),
    )
    for entry in entries:
        counts = (_shown(entry.documents), _shown(entry.queries), _shown(entry.judgements))
        table.add_row(entry.name, entry.split, *counts, entry.availability)
    console.print(table)
    for name, members in ((one.name, one.members) for one in catalog.sets.values()):
        used_by = catalog.sets[name].used_by
        console.print(f"\n{name} ({len(members)}): {used_by}", soft_wrap=True)
