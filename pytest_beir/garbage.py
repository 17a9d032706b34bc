"""The garbage collector of Python, held off where thousands of small objects are made at once."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def held_off() -> Iterator[None]:
    """A block, or a decorated function, in which nothing is collected.

    Reading a large file makes objects that all stay, and each collection looks at every one of them
    to find that out. Only for code of this project: that of a user may count on the collector.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
