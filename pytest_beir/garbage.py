"""The garbage collector of Python, held off where thousands of small objects are made at once."""

from __future__ import annotations

import gc
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def held_off(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, during which nothing is collected.

    Reading a large file makes objects that all stay, and each collection looks at every one of them
    to find that out. Only for code of this project: that of a user may count on the collector.
    """

    # No context manager: its frames, of contextlib, would stand between a user's line and ours.
    @wraps(function)
    def uncollected(*args: P.args, **kwargs: P.kwargs) -> R:
        was_on = gc.isenabled()
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            if was_on:
                gc.enable()

    return uncollected
