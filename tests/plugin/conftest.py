"""A small project of a user, as the plugin's tests need it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tests.kept_modules  # noqa: F401
from pytest_beir.reports import html

if TYPE_CHECKING:
    from tests.warm_python import WarmPython

QUERIES = 40

RETRIEVER = '''
import json
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent


class Canned:
    """Puts the relevant document of each query at the rank that ranks.json names."""

    def index(self, corpus):
        self.corpus = corpus

    def search(self, queries, top_k):
        ranks = json.loads((HERE / "ranks.json").read_text())
        answer = {}
        for query in queries:
            others = [f"x{number:02d}" for number in range(20)]
            others.insert(ranks.get(query, 1) - 1, "d" + query[1:])
            answer[query] = {
                document: 100.0 - place for place, document in enumerate(others[:top_k])
            }
        return answer


@pytest.fixture(scope="session")
def retriever():
    return Canned()
'''


ALONE = """
import signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
sys.modules["jinja2"] = None  # no page of the report: drawing it takes longer than all else
import pytest

sys.exit(pytest.main())
"""


@dataclass(frozen=True)
class Scenes:
    """What runs that only set a scene left behind, by what they started from.

    Many tests start from the same project with its baselines. One of them runs pytest for all.
    """

    folder: Path
    results: dict[str, pytest.RunResult] = field(default_factory=dict)

    def play(self, project: Project, *arguments: str) -> pytest.RunResult:
        """The result of a run in the project, whose folder is then as after that run."""
        before = _files(project.path)
        scene = _digest(before, (*project.worker_arguments(), *arguments), project.path)
        left = self.folder / scene
        if scene in self.results:
            shutil.copytree(left, project.path, dirs_exist_ok=True)
            return self.results[scene]
        result = project.run(*arguments)
        assert result.ret != pytest.ExitCode.INTERNAL_ERROR
        after = _files(project.path)
        assert before.keys() <= after.keys(), "a scene that deletes cannot be played again"
        left.mkdir()
        for name, content in after.items():
            if before.get(name) != content:
                (left / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(project.path / name, left / name)
        self.results[scene] = result
        return result


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _digest(files: dict[str, bytes], arguments: tuple[str, ...], folder: Path) -> str:
    """The same for equal files, arguments and environments, wherever the folder lies."""
    variables = {
        name: value.replace(str(folder), "")
        for name, value in sorted(os.environ.items())
        if name not in ("PYTEST_CURRENT_TEST", "PYTEST_DEBUG_TEMPROOT")
    }
    digest = hashlib.sha256(repr((arguments, variables)).encode())
    for name, content in files.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@dataclass
class Project:
    """A project folder with datasets, a conftest with a retriever, and ways to run pytest in it."""

    pytester: pytest.Pytester
    scenes: Scenes
    warm_python: WarmPython | None = None
    workers: int = 0

    @property
    def path(self) -> Path:
        return self.pytester.path

    def dataset(self, name: str, *, queries: int = QUERIES, folder: str = "data") -> Path:
        """A dataset in which query q07 has the relevant document d07."""
        home = self.path / folder / name
        (home / "qrels").mkdir(parents=True)
        numbers = [f"{number:02d}" for number in range(queries)]
        documents = [f"d{n}" for n in numbers] + [f"x{n:02d}" for n in range(20)]
        _json_lines(
            home / "corpus.jsonl",
            [{"_id": d, "title": f"title of {d}", "text": f"text of {d}"} for d in documents],
        )
        _json_lines(
            home / "queries.jsonl", [{"_id": f"q{n}", "text": f"{name} {n}"} for n in numbers]
        )
        rows = ["query-id\tcorpus-id\tscore", *(f"q{n}\td{n}\t1" for n in numbers)]
        (home / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n")
        return home

    def config(self, text: str) -> None:
        (self.path / "beir.yaml").write_text(text)

    def conftest(self, text: str = RETRIEVER, folder: str = ".") -> Path:
        home = self.path / folder
        home.mkdir(parents=True, exist_ok=True)
        (home / "conftest.py").write_text(text)
        return home / "conftest.py"

    def ranks(self, ranks: dict[str, int] | None = None, folder: str = ".") -> None:
        """At which rank the relevant document of each query stands; first, unless named."""
        (self.path / folder / "ranks.json").write_text(json.dumps(ranks or {}))

    def drop(self, queries: int = 20, rank: int = 5) -> None:
        """Let so many queries find their document at a worse rank."""
        self.ranks({f"q{number:02d}": rank for number in range(queries)})

    def run(self, *arguments: str, **environment: str) -> pytest.RunResult:
        """`pytest --beir ...`, with as many workers as the scenario asks for."""
        return self.plain("--beir", *arguments, **environment)

    def before(self, *arguments: str) -> pytest.RunResult:
        """A run that sets the scene: without workers, and once for all tests that start alike."""
        workers, self.workers = self.workers, 0
        try:
            return self.scenes.play(self, *arguments)
        finally:
            self.workers = workers

    def plain(self, *arguments: str, **environment: str) -> pytest.RunResult:
        saved = dict(os.environ)
        os.environ.update(environment)
        try:
            if self.workers:
                return self.apart(*arguments)
            return self.pytester.runpytest_inprocess("-p", "beir", *arguments)
        finally:
            os.environ.clear()
            os.environ.update(saved)

    def apart(self, *arguments: str) -> pytest.RunResult:
        """A run in a process of its own, with the workers; a signal ends no test around it."""
        command = self.alone(*arguments)
        if self.warm_python is None:
            return self.pytester.run(*command)
        written = [self.path / "stdout", self.path / "stderr"]
        with ExitStack() as opened:
            files = [opened.enter_context(path.open("w", encoding="utf-8")) for path in written]
            nothing = opened.enter_context(Path(os.devnull).open(encoding="utf-8"))
            changed = opened.enter_context(pytest.MonkeyPatch.context())
            changed.setenv("PYTHONPATH", str(self.path), prepend=os.pathsep)
            status = self.warm_python.run(
                *command[2:], files=[each.fileno() for each in (nothing, *files)]
            )
        out, errors = (path.read_text(encoding="utf-8") for path in written)
        sys.stdout.write(out)
        sys.stderr.write(errors)
        return pytest.RunResult(status, out.splitlines(), errors.splitlines(), 0.0)

    def alone(self, *arguments: str) -> list[str]:
        """The command that runs pytest in a process of its own, with the workers."""
        workers = self.worker_arguments()
        return [sys.executable, "-c", ALONE, "-p", "beir", *workers, *arguments]

    def store(self) -> None:
        """Make baselines of the scores as they are."""
        assert self.before("--beir-update").ret == 0

    def worker_arguments(self) -> list[str]:
        """What makes pytest use the workers; skips the test where there cannot be any."""
        if not self.workers:
            return []
        pytest.importorskip("xdist", reason="workers need pytest-xdist, which is not installed")
        return ["-p", "xdist", "-n", str(self.workers)]

    def report(self, folder: str = "report") -> Any:
        return json.loads((self.path / folder / "beir.json").read_text())

    def verdicts(self, folder: str = "report") -> dict[str, str]:
        return {each["dataset"]: each["verdict"] for each in self.report(folder)["results"]}

    def baselines(self, folder: str = "baselines") -> dict[str, bytes]:
        home = self.path / folder
        return {
            path.relative_to(home).as_posix(): path.read_bytes()
            for path in sorted(home.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }


def _json_lines(path: Path, objects: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(each) + "\n" for each in objects))


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nested runs load no other plugins, and no run thinks itself on CI unless it says so."""
    # A conftest that is written again within a second must not be read from its compiled form.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    # Its charts take longer than all else in a nested run; it has tests of its own.
    monkeypatch.setattr(html, "is_available", lambda: False)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    """The scenes that were set so far."""
    return Scenes(tmp_path_factory.mktemp("scenes"))


@pytest.fixture
def bare(pytester: pytest.Pytester, scenes: Scenes, warm_python: WarmPython | None) -> Project:
    """An empty project without workers."""
    pytester.makeini("[pytest]")
    return Project(pytester, scenes, warm_python)


@pytest.fixture
def project(bare: Project) -> Project:
    """A project with two datasets and a perfect retriever."""
    return _filled(bare)


@pytest.fixture(params=[0, 2], ids=["one-process", "two-workers"])
def both(request: pytest.FixtureRequest, bare: Project) -> Project:
    """The same project, once without xdist and once with two workers."""
    bare.workers = request.param
    bare.worker_arguments()
    return _filled(bare)


@pytest.fixture
def spread(bare: Project) -> Project:
    """The same project for what can only happen where xdist's workers run."""
    bare.workers = 2
    bare.worker_arguments()
    return _filled(bare)


def _filled(project: Project) -> Project:
    project.dataset("alpha")
    project.dataset("beta")
    project.config("datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]\n")
    project.conftest()
    project.ranks()
    return project
