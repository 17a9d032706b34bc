"""The coarsest evenly spaced points on which given sizes all lie."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def common_step(sizes: Iterable[Fraction]) -> Fraction:
    """The largest fraction of which every size is a whole multiple."""
    return reduce(_pairwise, sizes)


def _pairwise(one: Fraction, other: Fraction) -> Fraction:
    return Fraction(
        math.gcd(one.numerator * other.denominator, other.numerator * one.denominator),
        one.denominator * other.denominator,
    )
