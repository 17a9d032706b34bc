"""Datasets as others write them (MTEB's tasks, titles, forums), by the names used here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable


@cache
def dataset_name(written: str) -> str:
    """The name that a dataset has here (`SciFact` is scifact), or `written` where unknown.

    A forum is `cqadupstack/android`. What only resembles a known name is another dataset
    (`Touche2020Retrieval.v3`), so nothing is guessed.
    """
    return _names().get(_key(written), written)


def is_known(name: str) -> bool:
    """Whether the catalogue has this dataset or forum, under this name or another one."""
    return _key(name) in _names()


def unknown_names(written: Iterable[str]) -> dict[str, str | None]:
    """Those that the catalogue does not know, each with the known name most like it, or None."""
    known = load_catalog().entries
    return {name: nearest(name, known) for name in sorted(written) if not is_known(name)}


def member(name: str, split: str) -> str:
    """A member of an average's set: the dataset with the split it is scored on."""
    return f"{name}@{split}"


def official_split(name: str) -> str | None:
    """The split that a dataset or forum is scored on by convention; None where unknown."""
    entry = load_catalog().entries.get(name.partition("/")[0])
    return entry.split if entry else None


@cache
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    tasks: dict[str, str] = {}
    for name, entry in load_catalog().entries.items():
        names[_key(name)] = names[_key(entry.title)] = name
        tasks |= {_key(entry.mteb): name} if entry.mteb else {}
        for forum, facts in entry.parts.items():
            names[_key(f"{name}/{forum}")] = names[_key(f"{name}-{forum}")] = f"{name}/{forum}"
            tasks |= {_key(facts.mteb): f"{name}/{forum}"} if facts.mteb else {}
    return tasks | names


def _key(written: str) -> str:
    return written.strip().casefold().replace("_", "-").replace(" ", "-")
