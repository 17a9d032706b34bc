"""What an installation brings: entry points, and the files that are data."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import distribution, entry_points
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

import pytest_beir

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    import pytest

CHECKOUT = Path(__file__).resolve().parents[1] / "pytest_beir"


def run(folder: Path, *command: str) -> str:
    """What a module run by this interpreter prints, with `folder` as the working directory."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_pytest_finds_the_plugin_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = entry_points(group="pytest11", name="beir")
    assert {point.value for point in found} == {"pytest_beir.plugin.hooks"}
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", raising=False)
    assert "--beir-accept=" in run(tmp_path, "pytest", "--help")


def test_the_command_line_has_an_entry_point() -> None:
    (script,) = entry_points(group="console_scripts", name="pytest-beir")
    assert script.value == "pytest_beir.cli:main"
    assert callable(script.load())


def test_the_package_runs_as_a_module_and_knows_the_installed_version(tmp_path: Path) -> None:
    version = distribution("pytest-beir").version
    assert run(tmp_path, "pytest_beir", "--version").strip() == f"pytest-beir {version}"
    assert pytest_beir.__version__ == version


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((CHECKOUT.parent / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == pytest_beir.__version__


def test_the_tests_run_on_the_installed_package() -> None:
    origin = json.loads(distribution("pytest-beir").read_text("direct_url.json") or "{}")
    is_editable = origin.get("dir_info", {}).get("editable", False)
    is_checkout = Path(pytest_beir.__file__).resolve().parent == CHECKOUT
    assert is_checkout == is_editable


def data_files(folder: Traversable, inside: str = "") -> set[str]:
    """Every file that is no code, as paths from the package's folder."""
    found: set[str] = set()
    for each in folder.iterdir():
        if each.is_dir() and each.name != "__pycache__":
            found |= data_files(each, f"{inside}{each.name}/")
        elif each.is_file() and not each.name.endswith((".py", ".pyc")):
            found.add(inside + each.name)
    return found


def test_every_data_file_of_the_checkout_is_installed() -> None:
    installed = data_files(files("pytest_beir"))
    assert installed == data_files(CHECKOUT)
    assert {"py.typed", "datasets/catalog.yaml"} <= installed
    assert any(name.startswith("datasets/bundled/") for name in installed)
    assert any(name.startswith("published/") for name in installed)
