"""A gate that found nothing must not be green."""

from __future__ import annotations

import ast
import os
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.plugin import command_line
from pytest_beir.text_layout import Line, Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    found = dict(_conftests(project))
    if found:
        return f"no test of the suite was collected{_unused(config, project, found)}"
    above = next((each for each in project.parents[:3] if _definition(each) is not None), None)
    if above is not None:
        return (
            f"no test of the suite was collected: the conftest.py of {above} defines a retriever; "
            f"run pytest in {above}"
        )
    if (project / "conftest.py").exists():
        return "no test of the suite was collected: no conftest.py defines a fixture 'retriever'"
    return (
        f"no test of the suite was collected: write a conftest.py in {project} with a fixture "
        f"'retriever' (an empty conftest.py is enough where a plugin brings the fixture)"
    )


def _unused(config: pytest.Config, project: Path, found: Mapping[Path, str]) -> str:
    """Why a retriever that some conftest defines may not have been seen, and what to do."""
    defining = ", ".join(path.relative_to(project).as_posix() for path in found)
    bare = [path.relative_to(project).as_posix() for path in found if _is_bare(found[path])]
    if bare:
        return (
            f": in {', '.join(bare)} `retriever` is a plain function; put "
            f"@pytest.fixture(scope='session') above it"
        )
    if command_line.names_paths(config):
        return f", although {defining} defines a retriever: name its folder or leave the paths away"
    return (
        f", although {defining} defines a retriever: another plugin or an option (--ignore, "
        f"--testmon) left the file out, or --rootdir, --confcutdir or testpaths leads elsewhere"
    )


def _is_bare(text: str) -> bool:
    """Whether the retriever is a function that nothing makes a fixture."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    named = [
        each
        for each in statements
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))
        and each.name in ("retriever", "beir_retriever")
    ]
    return bool(named) and not any(each.decorator_list for each in named)


def _conftests(project: Path) -> Iterator[tuple[Path, str]]:
    """The conftests of the project whose text defines a retriever, in order of their paths."""
    for folder, folders, files in islice(os.walk(project), _MOST_FOLDERS):
        folders[:] = sorted(
            name
            for name in folders
            if name not in _PASSED_OVER
            and not name.startswith(".")
            and not (Path(folder) / name / "pyvenv.cfg").exists()
        )
        text = _definition(Path(folder)) if "conftest.py" in files else None
        if text is not None:
            yield Path(folder) / "conftest.py", text


def _definition(folder: Path) -> str | None:
    """The text of a folder's conftest, if it defines a retriever."""
    try:
        text = (folder / "conftest.py").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text if _DEFINES.search(text) else None
