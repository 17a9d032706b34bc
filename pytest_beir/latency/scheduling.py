"""What the system's scheduler did to this thread: the wait for a processor, and giving one up.

Only Linux says so. Elsewhere nothing is known to have waited, and times are those of the clock.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from threading import get_native_id


@dataclass(frozen=True)
class Scheduling:
    """The thread's past: seconds in the queue for a processor, times that it gave one up itself."""

    queued: float = 0.0
    given_up: int = 0


def scheduling() -> Scheduling:
    """The past of the thread that asks."""
    if not sys.platform.startswith("linux"):
        return Scheduling()
    import resource

    file = _file(get_native_id())
    if file is None:
        return Scheduling()
    # Nanoseconds on a processor, nanoseconds in the queue for one, turns.
    queued = int(os.pread(file, 64, 0).split()[1])
    return Scheduling(queued / 1e9, resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw)


@cache
def _file(thread: int) -> int | None:
    """The kernel's account of a thread, kept open: opening it takes longer than reading it."""
    try:
        file = os.open(f"/proc/self/task/{thread}/schedstat", os.O_RDONLY)
    except OSError:
        return None
    try:
        return file if len(os.pread(file, 64, 0).split()) > 1 else None
    except OSError:
        return None
