"""Logarithms of factorials, for chances that are quotients of them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pytest_beir.gate.differences import Floats


@lru_cache(maxsize=8)
def log_factorials(last: int) -> Floats:
    """The logarithms of 0!, 1!, … up to `last`!, each to the precision of `math.lgamma`."""
    logs = np.fromiter(map(math.lgamma, range(1, last + 2)), dtype=np.float64, count=last + 1)
    logs.flags.writeable = False
    return logs
