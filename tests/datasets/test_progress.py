from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from pytest_beir.datasets.progress import bar

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with bar("scifact") as progress:
        progress(500_000, None)
        progress(1_000_000, 2_000_000)
    assert "scifact" in terminal.getvalue()
    assert "1.0/2.0 MB" in terminal.getvalue()


def test_anything_else_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    with bar("scifact") as progress:
        progress(1, 2)
    assert output.getvalue() == ""
