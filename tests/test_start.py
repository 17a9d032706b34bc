"""What the installed plugin costs a pytest start that does not use it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = ("numpy", "scipy", "pydantic", "yaml", "rich", "httpx", "rank_bm25", "filelock")

PROBE = """
import json, sys, pytest
code = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
print(json.dumps([int(code), sorted(name for name in sys.modules if "." not in name)]))
"""


def imported(folder: Path, *arguments: str) -> tuple[int, set[str]]:
    """The exit status and the top-level modules of a pytest run in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, "-p", "beir", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": ""},
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    return code, set(modules)


def test_an_unused_plugin_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n")
    code, modules = imported(tmp_path)
    assert code == 0
    assert "pytest_beir" in modules
    assert modules.isdisjoint(HEAVY)


def test_a_users_own_test_is_skipped_without_importing_anything_heavy(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef retriever():\n    raise OSError\n"
    )
    (tmp_path / "test_own.py").write_text("def test_own(beir_check): beir_check()\n")
    code, modules = imported(tmp_path)
    assert code == 0
    assert modules.isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "module", ["pytest_beir", "pytest_beir.errors", "pytest_beir.plugin.hooks"]
)
def test_the_entry_modules_import_nothing_heavy(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import {module}, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()).isdisjoint(HEAVY)
