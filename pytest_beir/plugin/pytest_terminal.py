"""The terminal that pytest writes to: how wide it is, what it can show, and our lines on it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pytest_beir.text_layout import WIDTH, in_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pytest

    from pytest_beir.text_layout import Line

_MARKUP = {
    "plain": {},
    "bold": {"bold": True},
    "red": {"red": True},
    "green": {"green": True},
    "yellow": {"yellow": True},
    "dim": {"light": True},
}

_NARROWEST = 40
_PERCENTAGE = 8  # columns that pytest may want behind a line of ours


class PytestTerminal:
    """What pytest's terminal reporter knows, where there is one."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @property
    def verbosity(self) -> int:
        """How much the user wants to see, as `-v` and `-q` say: it is declared by the terminal."""
        verbosity: int = getattr(self._config.option, "verbose", 0)
        return verbosity

    @property
    def encoding(self) -> str:
        """The encoding of what is written."""
        writer: Any = getattr(self._reporter, "_tw", None)
        return getattr(getattr(writer, "_file", None), "encoding", None) or "utf-8"

    @property
    def width(self) -> int:
        """The terminal's columns, as far as lines use them."""
        fullwidth = getattr(getattr(self._reporter, "_tw", None), "fullwidth", WIDTH)
        return max(min(fullwidth, WIDTH), _NARROWEST)

    @property
    def progress_width(self) -> int:
        """The columns of a line during the run, behind which pytest may write its percentage."""
        return self.width - _PERCENTAGE

    @property
    def ascii(self) -> bool:
        """Whether the terminal cannot show the signs that the summary uses."""
        try:
            "Δ−→α≥…".encode(self.encoding)
        except (UnicodeEncodeError, LookupError):
            return True
        return False

    def show_progress(self, line: Line) -> None:
        """Write a line of its own where pytest would write a dot."""
        if self._reporter is not None:
            self._reporter.write("\n")
            self._reporter.write(line.text, **_MARKUP[line.style])

    def show_section(self, lines: Sequence[Line]) -> None:
        """Write lines below a heading, at the end of the run."""
        if lines:
            self._reporter.ensure_newline()
            self._reporter.section("beir", sep="=")
        for line in lines:
            self._reporter.write_line(line.text, **_MARKUP[line.style])

    def spell(self, report: pytest.TestReport) -> None:
        """Write a failure as the terminal can show it: pytest would lose its lines."""
        report.sections = [
            (title, in_encoding(text, self.encoding) if title == "beir" else text)
            for title, text in report.sections
        ]
        if isinstance(report.longrepr, str):
            report.longrepr = in_encoding(report.longrepr, self.encoding)

    @contextmanager
    def without_progress(self) -> Iterator[None]:
        """Reports on the run as a whole are no tests to be counted off: no `[150%]`."""
        reporter = self._reporter
        shown = getattr(reporter, "_show_progress_info", None)
        if shown is None:
            yield
            return
        reporter._show_progress_info = False  # noqa: SLF001
        try:
            yield
        finally:
            reporter._show_progress_info = shown  # noqa: SLF001

    @property
    def _reporter(self) -> Any:
        return self._config.pluginmanager.get_plugin("terminalreporter")
