"""A line that moves while a long search runs: on a terminal only, gone when it is done."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

    import pytest

_FIRST_AFTER = 1.0
_EVERY = 0.2


class Progress:
    """Called with (queries done, queries in all); shows the first line after a second."""

    def __init__(self, config: pytest.Config, dataset: str) -> None:
        self._reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
        self._capture: Any = config.pluginmanager.get_plugin("capturemanager")
        self._dataset = dataset
        self._due = time.monotonic() + _FIRST_AFTER
        self._shown = False
        self._enabled = (
            self._reporter is not None
            and not hasattr(config, "workerinput")
            and bool(getattr(self._reporter, "isatty", False))
        )

    def __enter__(self) -> Progress:  # noqa: PYI034  # Self is younger than Python 3.10
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._write("")

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._enabled and now >= self._due and done < total:
            self._due = now + _EVERY
            self._shown = True
            self._write(f"{self._dataset}: {done:,} of {total:,} queries")

    def _write(self, text: str) -> None:
        if self._capture is None:
            self._reporter.rewrite(text, erase=True)
            return
        with self._capture.global_and_fixture_disabled():
            self._reporter.rewrite(text, erase=True)
