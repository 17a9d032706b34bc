"""How often a report is written while the run goes on: each time the whole of it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_FREE = 0.2  # seconds of work on the report, before it is compared with the run
_SHARE = 0.05


class Pace:
    """Lets the report be written after every dataset, up to a twentieth of the run's time.

    With many results in little time it is written after some of them: what a killed run leaves
    says that it was running, and lacks the last ones.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        work: Callable[[], float] = time.process_time,
    ) -> None:
        self._clock = clock
        self._work = work
        self._began = clock()
        self._spent = 0.0

    def take(self, write: Callable[[], object]) -> None:
        """Write the report, unless it has taken enough of the run already."""
        if self._spent >= max(_FREE, _SHARE * (self._clock() - self._began)):
            return
        started = self._work()
        try:
            write()
        finally:
            self._spent += self._work() - started
