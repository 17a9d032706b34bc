"""A report's folder: everything that it holds, in one list, each file whole or not at all."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.baselines import store
from pytest_beir.errors import ReportError, UsageError
from pytest_beir.files.atomic import remove_dead, write_atomically
from pytest_beir.files.atomic_folder import atomic_folder
from pytest_beir.files.paths import without_home
from pytest_beir.reports import html, json, markdown, to_judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.reports.story import Story

SCORES = "scores"


@dataclass(frozen=True)
class Renderer:
    """A form of the report: `files` gives {path in the folder: text}.

    One that takes its time waits for the end of the run (`is_live` False).
    """

    files: Callable[[Story], Mapping[str, str]]
    is_live: bool = True


RENDERERS = (
    Renderer(json.files),
    Renderer(markdown.files),
    Renderer(to_judge.files),
    Renderer(html.files, is_live=False),
)


def write(
    story: Story, folder: Path, *, scores: Iterable[Baseline] = (), is_over: bool = True
) -> None:
    """Write every form of the report, and `scores` in the form of baselines.

    Raises:
        ReportError: a number is not finite, or a file, which is named, cannot be written.
        BaselineError: the scores cannot be written.

    """
    for renderer in RENDERERS:
        if is_over or renderer.is_live:
            write_files(renderer.files(story), folder)
    for baseline in scores:
        store.write(folder / SCORES, baseline)


def place(folder: Path) -> str:
    """Where a report lies, from here if it lies below, and what it lacks."""
    near = os.path.relpath(folder) if folder.is_relative_to(Path.cwd()) else str(folder)
    lacks = "" if html.is_available() else "; beir.html needs pip install 'pytest-beir[report]'"
    return f"{near}{lacks}"


def replace(story: Story, folder: Path, *, scores: Iterable[Baseline] = ()) -> None:
    """Write a report in the place of an older one, as one: nothing of the older one is left.

    Raises:
        ReportError: a number is not finite, or the folder cannot be written.
        BaselineError: the scores cannot be written.

    """
    if not (folder / json.NAME).exists():
        write(story, folder, scores=scores)
        return
    try:
        with atomic_folder(folder) as part:
            shutil.rmtree(part / SCORES, ignore_errors=True)
            write(story, part, scores=scores)
    except (OSError, shutil.Error) as error:
        raise _unwritable(folder, error) from error


def refuse_baselines(option: str, report: Path, baselines: Path) -> None:
    """Refuse a report's folder whose scores would replace the baselines.

    Raises:
        UsageError: it is theirs, lies beneath it or around it, or a link leads from one to the
            other.

    """
    scores, stored = (report / SCORES).resolve(), baselines.resolve()
    is_shared = report.resolve().is_relative_to(stored) or stored.is_relative_to(scores)
    if is_shared or _links_into(scores, stored) or _links_into(stored, scores):
        raise UsageError(
            f"{option}={report} would write into {baselines}, where the baselines are: "
            f"a gate that replaces its own baselines cannot fail. Name another folder"
        )


def _links_into(folder: Path, other: Path) -> bool:
    """Whether a retriever's folder is a link that leads into the other folder, or to one above."""
    try:
        links = [path.resolve() for path in folder.iterdir() if path.is_symlink()]
    except OSError:  # it is not there yet, or its reader says what is wrong with it
        return False
    return any(link.is_relative_to(other) or other.is_relative_to(link) for link in links)


def write_files(files: Mapping[str, str], folder: Path) -> None:
    r"""Put texts in the place of a folder's files, as UTF-8 with LF.

    The user's home is written `~`: reports are published, and its path names the user. Halves of
    surrogate pairs, which UTF-8 has not, are written as JSON writes them (`\ud800`).

    Raises:
        ReportError: the folder cannot be written.

    """
    for name, text in files.items():
        path = folder / name
        shown = without_home(text).encode("utf-8", "backslashreplace").decode("utf-8")
        try:
            remove_dead(path.parent)
            write_atomically({path: shown})
        except OSError as error:
            raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> ReportError:
    return ReportError(
        f"cannot be written ({error.strerror or error})",
        file=path,
        remedy="name a folder that is writable",
    )
