"""The files of docs/ci.md: valid for their systems, and their shell lines gate a project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
import yaml

from tests.test_docs import ROOT, blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.warm_python import WarmPython

FILES = {block.title: block.text for block in blocks() if block.page.name == "ci.md" if block.title}
REUSED, BY_HAND, GITLAB, JENKINS = FILES
CONFTEST = """
import pytest
from pytest_beir import BM25


@pytest.fixture(scope="session")
def retriever():
    return BM25({})
"""


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        (REUSED, "vendor.github-workflows"),
        (BY_HAND, "vendor.github-workflows"),
        (GITLAB, "vendor.gitlab-ci"),
    ],
)
def test_a_file_fits_the_schema_of_its_system(name: str, schema: str, tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema, which has the schemas")
    file = tmp_path / "ci.yml"
    file.write_text(FILES[name], encoding="utf-8")
    words = ["--builtin-schema", schema, "--data-transform", "gitlab-ci", str(file)]
    command = [sys.executable, "-m", "check_jsonschema", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_shipped_workflow_is_called_with_inputs_that_it_has() -> None:
    given = yaml.safe_load(FILES[REUSED])["jobs"]["retrieval"]["with"]
    shipped = yaml.safe_load((ROOT / ".github/workflows/beir.yml").read_text(encoding="utf-8"))
    assert set(given) <= set(shipped[True]["workflow_call"]["inputs"])  # `on` is true in YAML 1.1


def test_the_example_is_the_workflow_of_the_page() -> None:
    (file,) = (ROOT / "examples" / "github").rglob("*.yml")
    assert file.read_text(encoding="utf-8") == FILES[BY_HAND]


def test_the_jenkinsfile_is_groovy() -> None:
    lexers = pytest.importorskip("pygments.lexers", reason="needs pygments")
    tokens = list(lexers.get_lexer_by_name("groovy").get_tokens(FILES[JENKINS]))
    assert not [text for kind, text in tokens if "Error" in str(kind)]
    opened = []
    for kind, text in tokens:
        for sign in text if str(kind) in ("Token.Punctuation", "Token.Operator") else "":
            if sign in "({[":
                opened.append(sign)
            elif sign in ")}]":
                assert opened.pop() + sign in ("()", "{}", "[]")
    assert opened == []
    directives = re.findall(r"^  (\w+)", FILES[JENKINS], re.MULTILINE)
    assert directives == ["agent", "parameters", "environment", "stages", "post"]


@dataclass
class Checkout:
    """A clone on a runner: `main` has baselines, the change searches no titles any more."""

    folder: Path
    origin: Path
    variables: dict[str, str] = field(default_factory=dict)

    def git(self, *words: str) -> str:
        return self._done("git", *words)[1].strip()

    def shell(self, line: str, **variables: str) -> tuple[int, str]:
        """The status and the output of a line, as a runner of the system gives it to a shell."""
        return self._done("bash", "-eo", "pipefail", "-c", line, **variables)

    def _done(self, *words: str, **variables: str) -> tuple[int, str]:
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.variables | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout


@pytest.fixture
def checkout(tmp_path: Path, warm_python: WarmPython | None) -> Checkout:
    if shutil.which("bash") is None or shutil.which("git") is None:
        pytest.skip("needs bash and git")
    programs, folder, origin = tmp_path / "bin", tmp_path / "clone", tmp_path / "origin.git"
    programs.mkdir()
    folder.mkdir()
    python = sys.executable if warm_python is None else warm_python.command()
    for name, words in {
        "pip": "true",  # what it would install is under test
        "python": f'{python} "$@"',
        "pytest": f'{python} -m pytest "$@"',
        "pytest-beir": f'{python} -m pytest_beir "$@"',
    }.items():
        (programs / name).write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    # No page of the report: drawing it takes seconds, and has tests of its own.
    (programs / "sitecustomize.py").write_text('import sys\nsys.modules["jinja2"] = None\n')
    here = Checkout(folder, origin)
    here.variables = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PYTEST_ADDOPTS": "-p beir -p no:cacheprovider",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # other plugins slow every start
        "PYTHONPATH": os.pathsep.join([str(programs), *filter(None, sys.path)]),
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@localhost",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@localhost",
    }
    here.git("init", "--quiet", "--bare", "--initial-branch=main", str(origin))
    here.git("--git-dir", str(origin), "config", "receive.advertisePushOptions", "true")
    here.git("init", "--quiet", "--initial-branch=main")
    here.git("remote", "add", "origin", str(origin))
    (folder / "conftest.py").write_text(CONFTEST.format(""), encoding="utf-8")
    shutil.copytree(ROOT / "baselines", folder / "baselines")  # those of the same retriever
    here.git("add", "conftest.py", "baselines")
    here.git("commit", "--quiet", "--message", "first")
    here.git("push", "--quiet", "origin", "main")
    here.git("checkout", "--quiet", "-b", "change")
    (folder / "conftest.py").write_text(CONFTEST.format('fields=["text"]'), encoding="utf-8")
    here.git("commit", "--quiet", "--all", "--message", "search no titles")
    here.git("push", "--quiet", "origin", "change")
    here.variables["CI"] = "true"
    return here


def test_the_shipped_workflow_gates_in_shards_and_opens_a_pull_request(checkout: Checkout) -> None:
    content = yaml.safe_load((ROOT / ".github/workflows/beir.yml").read_text(encoding="utf-8"))
    given = yaml.safe_load(FILES[REUSED])["jobs"]["retrieval"]["with"]
    jobs = {
        name: {step["name"]: step["run"] for step in job["steps"] if "run" in step}
        for name, job in content["jobs"].items()
    }
    summary, asked = checkout.folder / "summary.md", checkout.folder / "asked"
    gh = checkout.folder.parent / "bin" / "gh"
    gh.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {asked}\n", encoding="utf-8")
    gh.chmod(0o755)
    checkout.variables |= {
        "BEIR_CACHE": str(checkout.folder / ".beir-cache"),
        "BASE": "main",
        "ARGUMENTS": "--beir-strict=did-not-run -q",
        "GITHUB_STEP_SUMMARY": str(summary),
        "ACCEPT": "dropped",
        "REASON": 'titles go; "wanted"',
        "BRANCH": "baselines-9-1",
        "FROM": "change",
    }
    assert checkout.shell(given["install"])[0] == 0
    statuses = []
    for number, datasets in enumerate(json.loads(given["shards"])):
        statuses.append(checkout.shell(jobs["shard"]["measure"], DATASETS=datasets)[0])
        shard = checkout.folder / "shards" / f"beir-shard-{number}"  # as artefacts come down
        shutil.copytree(checkout.folder / "report", shard)
        shutil.rmtree(checkout.folder / "report")
    assert statuses == [1, 1]
    status, output = checkout.shell(jobs["whole"]["put the shards together"])
    assert (status, "garden-claims regressed" in output) == (1, True), output
    assert checkout.shell(jobs["whole"]["the job's summary page"])[0] == 0
    assert "garden-claims" in summary.read_text(encoding="utf-8")
    status, output = checkout.shell(jobs["accept"]["new baselines as a pull request"])
    assert status == 0, output
    assert accepted(checkout, "baselines-9-1") == checkout.variables["REASON"]
    words = asked.read_text(encoding="utf-8").splitlines()
    assert words[:4] == ["pr", "create", "--base", "change"]
    body = (checkout.folder / "body.md").read_text(encoding="utf-8")
    assert body.startswith(checkout.variables["REASON"])
    assert "garden-claims" in body


def test_the_workflow_by_hand_fails_the_change_with_a_report(checkout: Checkout) -> None:
    steps = yaml.safe_load(FILES[BY_HAND])["jobs"]["gate"]["steps"]
    install, gate = (step["run"] for step in steps if "run" in step)
    assert checkout.shell(install)[0] == 0
    status, output = checkout.shell(gate, GITHUB_BASE_REF="main")
    assert (status, "garden-claims regressed" in output) == (1, True), output
    assert (checkout.folder / "report" / "beir.md").is_file()


@pytest.fixture
def notes() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a service that takes comments, and what it was told."""
    told: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"])).decode()
            token = self.headers["PRIVATE-TOKEN"]
            told.append({"path": self.path, "token": token, **parse_qs(content)})
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/v4", told
    server.shutdown()
    thread.join()
    server.server_close()


def test_gitlab_gates_in_shards_comments_and_accepts(
    checkout: Checkout, notes: tuple[str, list[dict[str, Any]]]
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    jobs = yaml.safe_load(FILES[GITLAB])
    checkout.variables |= {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": checkout.git("merge-base", "origin/main", "HEAD"),
        "CI_API_V4_URL": notes[0],
        "CI_PROJECT_ID": "7",
        "CI_MERGE_REQUEST_IID": "3",
        "CI_PIPELINE_ID": "11",
        "CI_SERVER_HOST": "gitlab.example",
        "CI_PROJECT_PATH": "team/search",
        "CI_COMMIT_BRANCH": "change",
        "BEIR_TOKEN": "secret",
        "REASON": "titles go; they are wrong",
    }
    statuses = []
    (shard,) = jobs["shard"]["script"]
    (matrix,) = jobs["shard"]["parallel"]["matrix"]
    for number, datasets in enumerate(matrix["DATASETS"], 1):
        given = {"DATASETS": datasets, "CI_NODE_INDEX": str(number)}
        statuses.append(checkout.shell(shard, **given)[0])
        assert (checkout.folder / f"junit-{number}.xml").is_file()
    assert 1 in statuses
    (merge,) = jobs["whole"]["script"]
    status, output = checkout.shell(merge)
    assert (status, "garden-claims regressed" in output) == (1, True), output
    (comment,) = jobs["whole"]["after_script"]
    status, output = checkout.shell(comment)
    assert status == 0, output
    assert checkout.shell(comment, BEIR_TOKEN="") == (0, "")
    (note,) = notes[1]
    assert note["path"] == "/api/v4/projects/7/merge_requests/3/notes"
    assert note["token"] == "secret"  # noqa: S105  # the one that was given
    report = (checkout.folder / "report" / "beir.md").read_text(encoding="utf-8")
    assert note["body"] == [report]
    pushed = f"url.{checkout.origin}.insteadOf"
    checkout.git("config", pushed, "https://beir:secret@gitlab.example/team/search.git")
    for line in jobs["accept"]["script"]:
        status, output = checkout.shell(line)
        assert status == 0, output
    assert accepted(checkout, "baselines-11") == checkout.variables["REASON"]


def test_jenkins_gates_in_shards_and_accepts(checkout: Checkout) -> None:
    text = FILES[JENKINS]
    lines = re.findall(r"^ +sh '([^']+)'$", text, re.MULTILINE)
    assert len(lines) == text.count(" sh ") == 11
    checkout.variables |= {"TARGET": "main", "REASON": "titles go", "BUILD_NUMBER": "5"}
    statuses = [checkout.shell(line) for line in lines]
    *before, merged = statuses[:6]
    assert [status for status, _ in before] == [0, 0, 0, 1, 1], statuses
    assert merged[0] == 1
    assert "garden-claims regressed" in merged[1]
    assert [status for status, _ in statuses[6:]] == [0, 0, 0, 0, 0], statuses
    assert accepted(checkout, "baselines-5") == "titles go"


def accepted(checkout: Checkout, branch: str) -> str:
    """The reason that the pushed branch keeps in its baseline; nothing else is changed in it."""
    there = ["--git-dir", str(checkout.origin)]
    changed = checkout.git(*there, "diff", "--name-only", "change", branch).split()
    assert changed
    assert all(name.startswith("baselines/") for name in changed)
    (file,) = (name for name in changed if name.endswith("garden-claims.yaml"))
    stored = yaml.safe_load(checkout.git(*there, "show", f"{branch}:{file}"))
    return str(stored["accepted"]["reason"])
