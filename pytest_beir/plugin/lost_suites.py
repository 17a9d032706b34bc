"""Suites that vanish: a conftest or plugin that never came to its end, and would make one."""

from __future__ import annotations

import re
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMES = re.compile(r"\b(?:beir_)?retriever\b|\bimport\s*\*")
"""What makes a suite, or may: a star brings whatever names the other file has."""

_MOST = 1000  # conftests that are read below a folder


def lost_suites(
    report: pytest.CollectReport, collector: pytest.Collector
) -> Iterator[tuple[str, str]]:
    """The conftests that the collection of a folder lost, and why.

    pytest loads the conftest of a folder while it collects that folder. A skip there (mostly
    `pytest.importorskip`) takes the whole folder out, with its suite and those of folders within.
    """
    if report.passed or not isinstance(collector, pytest.Directory):
        return
    for conftest in sorted(islice(collector.path.rglob("conftest.py"), _MOST)):
        is_own = conftest.parent == collector.path
        if is_own and collector.config.pluginmanager.has_plugin(str(conftest)):
            continue
        if not _names_retriever(conftest):
            continue
        try:
            place = conftest.relative_to(collector.config.rootpath).as_posix()
        except ValueError:
            place = conftest.as_posix()
        yield place, _reason(report)


def skipped_plugins(config: pytest.Config) -> Iterator[tuple[str, str]]:
    """The plugins that pytest left out because they skip, and whose source names a retriever."""
    for name, reason in getattr(config.pluginmanager, "skipped_plugins", ()):
        try:
            spec = find_spec(name)
        except (ImportError, ValueError, pytest.skip.Exception):  # its package, mostly
            continue
        if spec is not None and spec.origin and _names_retriever(Path(spec.origin)):
            yield name, f"skipped while it was imported: {reason}"


def _names_retriever(file: Path) -> bool:
    try:
        return bool(_NAMES.search(file.read_text(encoding="utf-8", errors="replace")))
    except OSError:
        return False


def _reason(report: pytest.CollectReport) -> str:
    if isinstance(report.longrepr, tuple):
        file, line, text = report.longrepr
        return f"{text} ({Path(file).name}, line {line})".replace("Skipped: ", "skipped: ", 1)
    lines = str(report.longrepr).strip().splitlines()
    return f"{report.outcome} while it was imported: {lines[-1] if lines else 'no reason given'}"
