"""What must hold whatever the statistics say: a pinned query's rank, a metric's floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Check:
    """A limit that a user has set, what was found, and whether it holds.

    Of a pin `limit` is the worst rank that is allowed and `now` the rank that was found, None
    beyond the top 100; of a floor the least mean of `metric` that is allowed, and the mean.
    `place` says where the limit is set: `pinned.tsv:LINE`, or the key of `beir.yaml`.
    """

    kind: Literal["pin", "floor"]
    limit: float
    now: float | None
    place: str
    metric: str | None = None
    query: str | None = None
    document: str | None = None

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        if self.now is None:
            return False
        if self.kind == "pin":
            return self.now <= self.limit
        return self.now >= self.limit - _ROUNDING

    @property
    def message(self) -> str:
        """One line that says what was found, what is allowed, and where that is set."""
        if self.kind == "floor":
            return f"floor: {self.metric} is {self.now:.4f}, below {self.limit:g} ({self.place})"
        found = "is not in the top 100" if self.now is None else f"stands at {self.now:g}"
        return (
            f"pinned query {self.query!r}: document {self.document!r} {found}, must be at rank "
            f"{self.limit:g} or better ({self.place})"
        )
