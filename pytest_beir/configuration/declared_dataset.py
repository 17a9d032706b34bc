"""One dataset as the suite declares it, and the identity of all of them together."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_beir.errors import BeirError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_beir.datasets.dataset import Dataset


@dataclass(frozen=True)
class DeclaredDataset:
    """One dataset of the suite.

    `path` is an absolute folder, or None for the catalogue's data. `split` and
    `drop_identical_ids` are None where the catalogue's rule, or the reader's, decides. With
    `tolerant` judgements that are given twice count once.
    """

    name: str
    path: Path | None = None
    split: str | None = None
    drop_identical_ids: bool | None = None
    weight: float = 1.0
    tolerant: bool = False

    def at_split(self, split: str) -> DeclaredDataset:
        """The same dataset with other judgements."""
        return replace(self, split=split)


@dataclass(frozen=True)
class DataSource:
    """Where the data of declared datasets come from."""

    cache: Path | str | None = None
    offline: bool = False
    mirror: str | None = None

    def load(self, declared: DeclaredDataset) -> Dataset:
        """The dataset, downloaded first if need be.

        Raises:
            DatasetError: It is missing or malformed.
            DownloadError: It could not be fetched.

        """
        from pytest_beir.datasets.reader import load_dataset

        return load_dataset(
            declared.path or declared.name,
            declared.split,
            name=declared.name,
            drop_identical_ids=declared.drop_identical_ids,
            cache_dir=self.cache,
            offline=self.offline,
            mirror=self.mirror,
            tolerant=declared.tolerant,
        )

    def at_hand(self, declared: DeclaredDataset) -> Dataset | None:
        """The dataset where it is here already and can be read."""
        try:
            return replace(self, offline=True).load(declared)
        except BeirError:
            return None


def suite_id(declared: Iterable[DeclaredDataset], gate: Mapping[str, object]) -> str:
    """Twelve hex digits that two runs share if they are shards of one suite.

    They are if declared datasets, splits, weights and gate settings (plain values, as
    `Config.gate_settings` gives them) are equal; neither order nor folders count. A shard reads no
    dataset but its own, so fingerprints are compared with the results, not here.
    """
    datasets = [
        {
            "name": each.name,
            "split": each.split,
            "drop_identical_ids": each.drop_identical_ids,
            "weight": each.weight,
        }
        for each in sorted(declared, key=lambda each: each.name)
    ]
    text = json.dumps({"datasets": datasets, "gate": gate}, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
