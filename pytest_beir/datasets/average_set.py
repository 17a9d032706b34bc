"""Which datasets an average is over, and the id of that set."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class AverageSet:
    """Which datasets an average is over; two averages compare only if their ids are equal.

    `members` are written `name@split`; their order does not matter to the id.
    """

    name: str
    metric: str
    members: tuple[str, ...]

    @property
    def id(self) -> str:
        return average_set_id(self.metric, self.members)


def average_set_id(metric: str, members: Iterable[str]) -> str:
    """Twelve hexadecimal digits that name a metric over a set of `name@split`."""
    text = "\n".join([metric, *sorted(members)])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
