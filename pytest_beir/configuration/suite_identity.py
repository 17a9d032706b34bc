"""The identity of a declared suite, which the shards of one suite share."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_beir.configuration.declaration import DeclaredDataset


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
