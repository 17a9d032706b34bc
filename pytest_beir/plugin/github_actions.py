"""On GitHub Actions: the report as the job's summary, and failures beside the code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.reports import github, markdown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pytest_beir.plugin.retriever_key import RetrieverKey
    from pytest_beir.reports.story import Story


def is_here() -> bool:
    """Whether this process runs in a job of GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def write_summary(story: Story) -> None:
    """Add the report to the job's summary page, where the runner names a file for it."""
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if target:
        with Path(target).open("a", encoding="utf-8", errors="backslashreplace") as summary:
            summary.write(f"{markdown.render(story)}\n")


def workflow_commands(
    story: Story, keys: Mapping[str, Collection[RetrieverKey]], project: Path
) -> list[str]:
    """The workflow commands of a run; a retriever's place is that of the user's fixture."""
    places = {}
    for name, known in keys.items():
        uses = [key.fixtures[0] for key in known if key.fixtures]
        if uses and uses[0].line is not None:
            places[name] = (_in_repository(project / uses[0].file), uses[0].line)
    return github.workflow_commands(story, places)


def _in_repository(path: Path) -> str:
    """The path as GitHub counts it: from the checked out repository."""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    path = path.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
