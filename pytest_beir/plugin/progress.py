"""How far a retriever is: a line that moves on a terminal, and a plain one now and then in a log.

A terminal keeps the line where pytest writes. Ours is the line below, drawn and erased with the
cursor brought back each time, so that nothing pytest or its plugins write is ever touched.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import TracebackType

    from pytest_beir.datasets.dataset import Dataset

_LIVE_EVERY = 0.25
_LOG_EVERY = 10.0
_FIRST_AFTER = 1.0
# A line below the cursor, whose column stays: index (scrolls at the end of the screen), up again.
_ROOM_BELOW = "\x1bD\x1b[A"
_BELOW = "\x1b7\x1b[B\r{}\x1b[K\x1b8"


@dataclass(frozen=True)
class Screen:
    """Where lines on the progress go: past all capturing, to what stdout or stderr was at first.

    `descriptor` is a duplicate of its own; a `live` one can move its cursor.
    """

    descriptor: int
    live: bool

    @classmethod
    def of(cls, config: pytest.Config) -> Screen | None:
        """The screen of this process; None where nobody wants to be told, or nobody can be.

        To be called while pytest is configured, when it does not capture.
        """
        is_worker = hasattr(config, "workerinput")
        stream = sys.stderr if is_worker else sys.stdout
        try:
            descriptor = os.dup(stream.fileno())
        except (AttributeError, OSError, ValueError):  # a stream of somebody's own making
            return None
        config.add_cleanup(lambda: os.close(descriptor))
        live = (
            not is_worker
            and os.name == "posix"
            and os.isatty(descriptor)
            and os.environ.get("TERM", "dumb") != "dumb"
            and config.option.capture != "no"  # the retriever writes there as well
        )
        is_quiet = getattr(config.option, "verbose", 0) < 0
        return None if is_quiet and not live else cls(descriptor, live)

    def show(self, text: str) -> None:
        """Show a line, in the place of the one before where that is possible."""
        if self.live:
            columns = os.get_terminal_size(self.descriptor).columns
            self._write(_ROOM_BELOW + _BELOW.format(text[: columns - 1]))
        else:
            self._write(f"\n{text}")

    def clear(self) -> None:
        """Leave the screen as it would be without the lines, or the log at the start of a line."""
        self._write(_BELOW.format("") if self.live else "\n")

    def _write(self, text: str) -> None:
        try:
            os.write(self.descriptor, text.encode("ascii", "replace"))
        except OSError:  # nobody reads any more: the run goes on
            return


SCREEN: pytest.StashKey[Screen | None] = pytest.StashKey()


class Progress:
    """Called with (queries done, queries in all) while the retriever is asked for a dataset."""

    def __init__(self, config: pytest.Config, dataset: Dataset) -> None:
        self._screen = config.stash.get(SCREEN, None)
        self._name = dataset.name
        self._corpora = [part.corpus for part in dataset.parts if part.corpus is not None]
        self._documents = sum(map(len, self._corpora))
        self._at_first = self._read
        self._done = self._total = 0
        self._start = self._searching_since = time.monotonic()
        self._over = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Progress:  # noqa: PYI034  # Self is younger than Python 3.10
        if self._screen is not None:
            self._thread = Thread(target=self._run, args=(self._screen,), daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def __call__(self, done: int, total: int) -> None:
        if done <= self._done:  # not searched yet
            self._searching_since = time.monotonic()
        self._done, self._total = done, total

    def line(self, now: float) -> str:
        """What there is to say at a moment of the monotonic clock."""
        read = self._read - self._at_first
        if self._done:
            return self._counted(self._done, self._total, "queries", now - self._searching_since)
        if 0 < read < self._documents:
            return self._counted(read, self._documents, "documents", now - self._start)
        what = f"{self._documents:,} documents read" if read else f"{self._total:,} queries"
        return f"{self._name}: {what}, working for {_clock(now - self._start)}"

    @property
    def _read(self) -> int:
        return sum(corpus.documents_read for corpus in self._corpora)

    def _counted(self, done: int, total: int, what: str, seconds: float) -> str:
        rate = done / seconds if seconds > 0 else 0.0
        left = f", {_clock((total - done) / rate)} left" if rate > 0 and done < total else ""
        shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"  # noqa: PLR2004
        return f"{self._name}: {done:,} of {total:,} {what}, {shown}/s{left}"

    def _run(self, screen: Screen) -> None:
        every = _LIVE_EVERY if screen.live else _LOG_EVERY
        wait = _FIRST_AFTER if screen.live else _LOG_EVERY
        is_shown = False
        while not self._over.wait(wait):
            screen.show(self.line(time.monotonic()))
            is_shown, wait = True, every
        if is_shown:
            screen.clear()


def _clock(seconds: float) -> str:
    """`0:05`, `12:30` or `1:02:03`."""
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
