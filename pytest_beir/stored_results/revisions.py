"""Baselines as git has them: those of a revision, their past means, and the sides of a merge."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from pytest_beir.baselines import store
from pytest_beir.baselines.reading import read
from pytest_beir.errors import BaselineError, LocatedError, UsageError
from pytest_beir.files.yaml_with_lines import parse
from pytest_beir.reports.story import StoredMean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.baselines.baseline import Baseline

_PATIENCE = 60
_LONGEST_HISTORY = 20  # updates
_SIDES = {"ours": ":2", "theirs": ":3"}
"""How git calls the sides of a merge that has not been resolved."""


@contextmanager
def exported(folder: Path, revision: str) -> Iterator[Path]:
    """A folder with the baselines as they were at a revision, for as long as it is needed.

    Baselines that the revision does not have are those of `folder`: nothing older is there that
    they could be measured against.

    Raises:
        UsageError: There is no such revision here, or no git.

    """
    with TemporaryDirectory(prefix="beir-baselines-") as made:
        target = Path(made)
        names = _names_at(folder, revision)
        for key in store.stored(folder):
            for path in _pair(folder, key):
                if path.exists():
                    _put(target / path.relative_to(folder), path.read_bytes())
        for name in names:
            content = _git(folder, "show", f"{revision}:./{name}")
            if content is not None:
                _put(target / name, content)
        yield target


def _pair(folder: Path, key: store.Key) -> tuple[Path, Path]:
    return store.paths(folder, key.retriever, key.dataset)


def _names_at(folder: Path, revision: str) -> list[str]:
    """The files of the folder at a revision, relative to it."""
    home = _nearest(folder)
    named = f"{revision}^{{commit}}"
    if not _git(home, "rev-parse", "--git-dir"):
        raise UsageError(f"{home} is in no git repository: there is no other revision to look at")
    if revision.startswith("-") or not _git(home, "rev-parse", "--verify", "--quiet", named):
        raise UsageError(
            f"git knows no revision {revision!r} in {home}: name another one, or fetch the history"
            " (on GitHub: actions/checkout with fetch-depth: 0)"
        )
    if home != folder:
        return []
    listed = _git(folder, "ls-tree", "-r", "-z", "--name-only", revision, "--", ".") or b""
    return [name for name in listed.decode("utf-8", "surrogateescape").split("\0") if name]


def _nearest(folder: Path) -> Path:
    """The folder itself, or the nearest one around it that exists."""
    return next(path for path in (folder, *folder.parents) if path.is_dir())


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def past_means(folder: Path, retriever: str, dataset: str) -> tuple[StoredMean, ...]:
    """The means of a baseline at each commit that wrote it, oldest first; none without git."""
    yaml_path, _ = store.paths(folder, retriever, dataset)
    if not yaml_path.parent.is_dir():
        return ()
    name = yaml_path.name
    shape = f"--max-count={_LONGEST_HISTORY}"
    log = _git(yaml_path.parent, "log", shape, "--format=%H %as", "--", f"./{name}") or b""
    found: list[StoredMean] = []
    for line in reversed(log.decode("ascii", "replace").splitlines()):
        commit, _, date = line.partition(" ")
        text = _git(yaml_path.parent, "show", f"{commit}:./{name}")
        if text is not None:
            found += _means(text.decode("utf-8", "replace"), commit, date)
    return tuple(found)


def _means(text: str, commit: str, date: str) -> Iterator[StoredMean]:
    # A file of long ago may be of any form, and is only drawn.
    with suppress(LocatedError, KeyError, TypeError, ValueError, AttributeError):
        content: Any = parse(text).value
        for metric, part in content["metrics"].items():
            if "anchor" in part:
                mean, anchor = float(part["mean"]), float(part["anchor"]["mean"])
                yield StoredMean(date, commit, metric, mean, anchor)


@dataclass(frozen=True)
class Conflict:
    """A baseline that a merge left broken, and the sides of the merge that are whole."""

    retriever: str
    dataset: str
    problem: str
    sides: dict[str, Baseline]
    texts: dict[str, tuple[bytes, bytes]]


def conflicts(folder: Path) -> tuple[Conflict, ...]:
    """Every baseline that cannot be read, with what the two sides of an open merge hold of it."""
    found = (_conflict(folder, key) for key in store.stored(folder))
    return tuple(conflict for conflict in found if conflict is not None)


def _conflict(folder: Path, key: store.Key) -> Conflict | None:
    try:
        store.load(folder, key.retriever, key.dataset)
    except BaselineError as error:
        return Conflict(key.retriever, key.dataset, str(error), *_sides(folder, key))
    return None


def _sides(
    folder: Path, key: store.Key
) -> tuple[dict[str, Baseline], dict[str, tuple[bytes, bytes]]]:
    sides, texts = {}, {}
    pair = _pair(folder, key)
    for name, commit in (("ours", "HEAD"), ("theirs", "MERGE_HEAD")):
        held = [
            _git(path.parent, "show", f"{_SIDES[name]}:./{path.name}")
            or _git(path.parent, "show", f"{commit}:./{path.name}")
            for path in pair
        ]
        whole = [content for content in held if content is not None]
        if len(whole) == len(pair):
            with TemporaryDirectory() as made, suppress(BaselineError):
                places = [Path(made) / path.name for path in pair]
                for place, content in zip(places, whole, strict=True):
                    place.write_bytes(content)
                baseline = read(places[0], places[1])
                if baseline is not None:
                    sides[name] = baseline
                    texts[name] = (whole[0], whole[1])
    return sides, texts


def take(folder: Path, conflict: Conflict, side: str) -> None:
    """Put one whole side of a merge in the place of the broken pair."""
    pair = store.paths(folder, conflict.retriever, conflict.dataset)
    for path, content in zip(pair, conflict.texts[side], strict=True):
        path.write_bytes(content)


def _git(folder: Path, *words: str) -> bytes | None:
    """What git prints, None where it refuses, has no answer, or is not there."""
    try:
        done = subprocess.run(  # noqa: S603  # a revision is one word, never an option
            ["git", "-C", str(folder), *words],  # noqa: S607  # git is found as the user finds it
            capture_output=True,
            check=True,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
