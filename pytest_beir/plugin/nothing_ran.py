"""A gate that found nothing must not be green."""

from __future__ import annotations

import os
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.plugin import command_line
from pytest_beir.text_layout import Line, Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from pytest_beir.plugin.collected_items import Collected
    from pytest_beir.plugin.options import Options

_DEFINES = re.compile(
    r"^\s*(?:async\s+)?def\s+(?:beir_)?retriever\b|name\s*=\s*[\"'](?:beir_)?retriever[\"']",
    re.MULTILINE,
)
_MOST_FOLDERS = 2000  # of a whole home folder, say: it is advice, and not worth a minute
_PASSED_OVER = {"node_modules", "__pycache__", "build", "dist", "site-packages"}


def is_suspicious(config: pytest.Config, collected: Collected) -> bool:
    """Whether nothing was found although the suite was plainly asked for."""
    if collected.found or command_line.names_node(config):
        return False
    if getattr(config.option, "cacheshow", None) is not None:
        return False  # pytest shows its cache, and collects nothing
    return command_line.is_typed(config) or not command_line.names_paths(config)


def may_have_run(config: pytest.Config, collected: Collected) -> bool:
    """Whether tests of the suite were to run, or would have been if collection had ended."""
    if collected.to_run:
        return True
    asked = command_line.is_typed(config) or not command_line.names_paths(config)
    return asked and not collected.is_complete


def lines(config: pytest.Config, options: Options, collected: Collected) -> list[Line]:
    """What to say of a run in which no test of the suite was to run."""
    if collected.to_run or _has_errors(config):
        return []
    if collected.found:
        return [Line(f"0 of {len(options.names)} datasets ran: all were deselected", "yellow")]
    if command_line.names_node(config) or getattr(config.option, "cacheshow", None) is not None:
        return []
    if not is_suspicious(config, collected):
        return [Line("--beir is set, but nothing under the named paths is a suite", "yellow")]
    page = Page()
    page.paragraph(_advice(config, options.project, collected), "red")
    return page.lines


def _has_errors(config: pytest.Config) -> bool:
    """Whether collection itself failed, which pytest reports, and which then is the reason."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    return reporter is not None and bool(reporter.stats.get("error"))


def _advice(config: pytest.Config, project: Path, collected: Collected) -> str:
    if collected.removed:
        return (
            f"no test of the suite was left to run: a hook or another plugin removed all "
            f"{len(collected.removed)} of them from the list"
        )
    defining = [path.relative_to(project).as_posix() for path in _conftests(project)]
    if defining and not command_line.names_paths(config):
        return (
            f"no test of the suite was collected, although {', '.join(defining)} defines a "
            f"retriever: another plugin or an option (--ignore, --testmon) left the file out, or "
            f"--rootdir, --confcutdir or testpaths leads elsewhere"
        )
    if defining:
        return (
            f"no test of the suite was collected, although {', '.join(defining)} defines a "
            f"retriever: name its folder or leave the paths away"
        )
    if not (project / "conftest.py").exists():
        return (
            f"no test of the suite was collected: write a conftest.py in {project} with a fixture "
            f"'retriever' (an empty conftest.py is enough where a plugin brings the fixture)"
        )
    return "no test of the suite was collected: no conftest.py defines a fixture 'retriever'"


def _conftests(project: Path) -> Iterator[Path]:
    """The conftests of the project whose text defines a retriever, in order of their paths."""
    for folder, folders, files in islice(os.walk(project), _MOST_FOLDERS):
        folders[:] = sorted(
            name
            for name in folders
            if name not in _PASSED_OVER
            and not name.startswith(".")
            and not (Path(folder) / name / "pyvenv.cfg").exists()
        )
        if "conftest.py" in files:
            path = Path(folder) / "conftest.py"
            try:
                text = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            if _DEFINES.search(text):
                yield path
