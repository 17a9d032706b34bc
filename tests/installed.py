"""Wheel and sdist, installed and tried in empty environments of several Pythons.

`python tests/installed.py DIST 3.10 3.13`; without versions, in that which runs this.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

CONFTEST = """
import pytest
from pytest_beir import BM25

@pytest.fixture(scope="session")
def retriever():
    return BM25()
"""


def try_out(package: Path, python: str, folder: Path) -> None:
    """Install one file and run the bundled gate twice, as a new user does."""
    home = folder / "environment"
    new = [sys.executable, "-m", "virtualenv", "--quiet", "--python", python, str(home)]
    subprocess.run(new, check=True)
    programs = home / ("Scripts" if sys.platform == "win32" else "bin")
    project = folder / "project"
    project.mkdir()
    (project / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for command in (
        ["python", "-m", "pip", "install", "--quiet", str(package)],
        ["python", "-m", "pytest", "--beir", "--beir-update-on-ci", "--beir-update", "-q"],
        ["python", "-m", "pytest", "--beir", "-q"],
        ["pytest-beir", "--version"],
    ):
        subprocess.run([str(programs / command[0]), *command[1:]], cwd=project, check=True)


if __name__ == "__main__":
    packages = [each.resolve() for each in Path(sys.argv[1]).iterdir()]
    if {each.suffix for each in packages} != {".whl", ".gz"}:
        raise SystemExit(f"expected a wheel and an sdist, found {packages}")
    for python in sys.argv[2:] or [sys.executable]:
        for each in packages:
            with tempfile.TemporaryDirectory() as temporary:
                try_out(each, python, Path(temporary))
            print(f"{each.name} works with {python}", flush=True)  # noqa: T201  # a script
