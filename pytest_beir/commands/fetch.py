"""`pytest-beir fetch NAME...`: download datasets into the cache folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import cache_folder
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.reader import find_local

if TYPE_CHECKING:
    import argparse

    from pytest_beir.datasets.catalog import Catalog


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "fetch",
        help="download datasets",
        description="Download datasets of the catalogue, verified, into the cache folder.",
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="a dataset or a named set")
    parser.add_argument("--cache", metavar="DIR", help="default: the platform's cache folder")
    parser.add_argument("--mirror", metavar="URL", help="default: BEIR_MIRROR, else BEIR's server")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fetch what is missing, and print where each dataset lies."""
    cache = cache_folder(args.cache)
    catalog = load_catalog()
    wanted = dict.fromkeys(member for name in args.names for member in _members(name, catalog))
    for entry in [catalog.entry(name) for name in wanted]:
        print(f"{entry.name}: {find_local(entry, cache, mirror=args.mirror)}", flush=True)  # noqa: T201
    return 0


def _members(name: str, catalog: Catalog) -> tuple[str, ...]:
    known = catalog.sets.get(name)
    return known.members if known else (name,)
