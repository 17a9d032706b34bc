"""Where results come from: the commit, what is uncommitted, and the versions at work."""

from __future__ import annotations

import hashlib
import platform
import subprocess
from contextlib import suppress
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from pytest_beir import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

_PATIENCE = 10


def commit(project: Path) -> str | None:
    """The commit that is checked out, with `+` where there are uncommitted changes."""
    head = _git(project, "rev-parse", "HEAD")
    if head is None:
        return None
    changed = _git(project, "status", "--porcelain", "--untracked-files=no")
    return head.strip() + ("+" if changed else "")


def uncommitted(project: Path) -> str | None:
    """SHA-256 of the difference to the commit, or None where there is none or no git."""
    difference = _git(project, "diff", "HEAD")
    if not difference:
        return None
    return hashlib.sha256(difference.encode("utf-8", "surrogateescape")).hexdigest()


def is_ci(environ: Mapping[str, str]) -> bool:
    """Whether `CI` is set to anything but empty, `0` or `false`."""
    return environ.get("CI", "").strip().lower() not in ("", "0", "false")


def today() -> str:
    """The date as ISO 8601 writes it, in UTC."""
    return datetime.now(timezone.utc).date().isoformat()


def environment(project: Path) -> dict[str, str]:
    """What ran: versions of the interpreter and of what computes, and the commit."""
    found = {"python": platform.python_version(), "pytest-beir": __version__}
    found |= {package: _version(package) for package in ("pytest", "numpy", "scipy")}
    head = commit(project)
    return found | ({"commit": head} if head else {})


def versions(retriever: str | None, libraries: Iterable[str]) -> dict[str, str | None]:
    """What scored and retrieved, as a baseline keeps it; libraries are distributions' names."""
    found: dict[str, str | None] = {
        "pytest-beir": __version__,
        "retriever": retriever,
        "python": platform.python_version(),
        "numpy": _version("numpy"),
    }
    for library in libraries:
        with suppress(PackageNotFoundError):
            found[library] = _version(library)
    return found


@cache  # each question reads and parses the distribution's whole metadata
def _version(distribution: str) -> str:
    return version(distribution)


def _git(project: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  # the words are this file's own
            ["git", "-C", str(project), *words],  # noqa: S607  # git is found as the user finds it
            capture_output=True,
            check=True,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "surrogateescape")
