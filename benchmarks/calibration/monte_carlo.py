"""Shares counted over replicates, with their Monte Carlo error."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

SEED = 20_240
_FEWEST = 2  # however small a share of them is asked for
# In the order of the report: each level is tested by itself.
LEVELS = (0.05, 0.01, 0.05 / 18)


def share_of(replicates: int, scale: float) -> int:
    """So many replicates, or a share of them."""
    return max(_FEWEST, round(replicates * scale))


def stream(*names: object) -> np.random.Generator:
    """A generator of its own for each cell, so that no cell depends on which others ran."""
    return np.random.default_rng([SEED, zlib.crc32("/".join(map(str, names)).encode())])


@dataclass(frozen=True)
class Rate:
    """`hits` of `trials`; with `per_hit` one half each hit stands for one of two directions."""

    hits: int
    trials: int
    per_hit: float = 1.0

    @property
    def value(self) -> float:
        return self.per_hit * self.hits / self.trials if self.trials else math.nan

    @property
    def error(self) -> float:
        """One standard error; not zero even where nothing or everything was hit."""
        share = (self.hits + 0.5) / (self.trials + 1)
        return self.per_hit * math.sqrt(share * (1.0 - share) / max(1, self.trials))

    def chance_if(self, level: float) -> float:
        """The chance of so many hits or more if the true value were `level`."""
        return float(binom.sf(self.hits - 1, self.trials, level / self.per_hit))

    def __str__(self) -> str:
        if not self.trials:
            return "–"
        value, error = 100 * self.value, 100 * self.error
        digits = 0 if error >= 1.0 else 1 if error >= 0.1 else 2
        return f"{value:.{digits}f} ± {error:.{max(1, digits)}f}"


def rate(flags: object, per_hit: float = 1.0) -> Rate:
    """The rate of a sequence of booleans."""
    array = np.asarray(flags, dtype=bool)
    return Rate(int(array.sum()), array.size, per_hit)
