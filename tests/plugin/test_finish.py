"""What a run prepares for its end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_beir.plugin.finish import get_ready
from pytest_beir.reports import html


@pytest.mark.parametrize(
    ("workers", "report", "lists", "starts"),
    [
        (["popen", "popen"], Path("report"), False, True),
        ([], Path("report"), False, False),  # nothing is waited for: it would only come earlier
        (["popen", "popen"], None, False, False),
        (["popen", "popen"], Path("report"), True, False),
    ],
)
def test_charts_are_prepared_only_while_workers_start_and_a_report_is_to_come(
    monkeypatch: pytest.MonkeyPatch, workers: list[str], report: Any, lists: bool, starts: bool
) -> None:
    started: list[bool] = []
    monkeypatch.setattr(html, "get_ready", lambda: started.append(True))
    option = SimpleNamespace(tx=workers, collectonly=lists)
    get_ready(SimpleNamespace(report=report), SimpleNamespace(option=option))  # type: ignore[arg-type]
    assert bool(started) is starts
