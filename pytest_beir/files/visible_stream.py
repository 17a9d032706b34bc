"""A stream of text that shows what a terminal would obey, and never fails to spell a sign."""

from __future__ import annotations

import re
from typing import IO, Any

from pytest_beir.text_layout import in_encoding, visible

_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")


class VisibleStream:
    """Passes text on to a stream; colours pass only to a terminal, where they are our own."""

    def __init__(self, stream: IO[str]) -> None:
        """Wrap a stream; everything else is asked of it."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text as it may be shown, and give its length."""
        parts = _COLOUR.split(text) if self._stream.isatty() else [text]
        shown = "".join(part if index % 2 else visible(part) for index, part in enumerate(parts))
        self._stream.write(in_encoding(shown, getattr(self._stream, "encoding", None) or "utf-8"))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
