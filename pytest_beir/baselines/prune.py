"""Baselines that no declared dataset uses any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.baselines.store import Key, stored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def unnamed(folder: Path, names: Iterable[str]) -> tuple[Key, ...]:
    """The stored baselines, of any retriever, whose dataset is not among `names`."""
    known = {name.casefold() for name in names}
    return tuple(key for key in stored(folder) if key.dataset.casefold() not in known)
