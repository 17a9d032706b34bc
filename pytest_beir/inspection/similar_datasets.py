"""Which datasets of a suite resemble the user's own data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import BeirError
from pytest_beir.inspection.likeness import match_datasets
from pytest_beir.inspection.profile import profile_dataset

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

_SHOWN = 3


def resembling(profile: Path, suite: Collection[str], cache: Path | None) -> tuple[str, ...]:
    """Up to three datasets of the suite whose shape is nearest to the folder's, nearest first.

    Empty where none of the catalogue's shapes is in the suite, or the folder cannot be read: the
    summary of a run does not fail over advice.
    """
    try:
        matches = match_datasets(profile_dataset(load_dataset(profile, cache_dir=cache)))
    except BeirError:
        return ()
    return tuple(match.name for match in matches if match.name in suite)[:_SHOWN]
