"""The hooks that a plugin or a conftest may implement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.reports.story import Story


@pytest.hookspec(firstresult=True)
def pytest_beir_adapt(value: Any) -> Any:
    """A retriever of a known form for the value of a `retriever` fixture, or None.

    It is asked before the adapters of this project, for every value; the first answer that is not
    None counts. A package can so bring its own framework:

        def pytest_beir_adapt(value):
            if type(value).__name__ == "MyEngine":
                return lambda query, k: value.find(query, limit=k)
    """


@pytest.hookspec
def pytest_beir_report(story: Story, folder: Path | None) -> None:
    """Report on a run in a form of your own, once it is over and its files are written.

    `story` is the run as every report tells it: `headline`, `last_line`, `chapters` with their
    tables and paragraphs, `steps`; `story.run` holds every number. `folder` is that of
    `--beir-report`, None without. Only the process that the user watches calls it:

        def pytest_beir_report(story, folder):
            if story.outcome == "failed":
                post(channel="#search", text=story.headline)
    """
