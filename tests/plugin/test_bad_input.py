"""What a bad retriever or a bad file does: its own dataset fails, with a name and a place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

ANSWERS = [
    ("answer[query]['d00'] = float('nan')", "*q00*d00*nan*"),
    ("answer[query]['d00'] = float('inf')", "*q00*d00*inf*"),
    ("answer[query]['zz'] = 1.0", "*q00*zz*"),
    ("answer[query][7] = 1.0", "*q00*7*"),
    ("answer[query]['d00'] = 'high'", "*q00*d00*high*"),
    ("answer[query] = 'rubbish'", "*q00*"),
    ("answer = 'rubbish'; break", "*str*"),
    ("answer = None; break", "*None*"),
    ("raise ValueError('index is gone')", "*ValueError*index is gone*"),
    ("answer.pop(query)", "*q00*missing*|*1 of 40 judged queries*"),
]


@pytest.mark.parametrize(("line", "message"), ANSWERS, ids=[line for line, _ in ANSWERS])
def test_a_bad_answer_fails_its_own_dataset_only(project: Project, line: str, message: str) -> None:
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            "        return answer",
            "        for query in list(answer):\n"
            "            if self.corpus.name == 'beta' and query == 'q00':\n"
            f"                {line}\n"
            "        return answer",
        )
    )
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "unchanged", "beta": "error"}
    reason = next(r for r in project.report()["results"] if r["dataset"] == "beta")["reason"]
    assert any(_matches(reason, pattern) for pattern in message.split("|")), reason


def _matches(text: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(text, pattern)


FILES = [
    ("data/beta/corpus.jsonl", '{"_id": "d00", "text": ', "*corpus.jsonl:1*"),
    ("data/beta/queries.jsonl", '{"_id": "q00"}', "*queries.jsonl:1*"),
    ("data/beta/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq00\td00\t1.5", "*test.tsv:2*"),
    ("data/beta/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq00 d00", "*test.tsv:2*"),
]


@pytest.mark.parametrize(("file", "text", "message"), FILES)
def test_a_malformed_dataset_is_named_with_its_line(
    project: Project, file: str, text: str, message: str
) -> None:
    project.store()
    (project.path / file).write_text(text + "\n")
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "unchanged", "beta": "error"}
    result.stdout.fnmatch_lines([message])
    result.stdout.no_fnmatch_line("*During handling of the above exception*")


BASELINES = [
    ("retriever/beta.yaml", "format: 1\n", "*beta.yaml*"),
    ("retriever/beta.yaml", "<<<<<<< HEAD\n", "*beta.yaml*"),
    ("retriever/beta.queries.tsv", "query-id\n", "*beta.queries.tsv*"),
]


@pytest.mark.parametrize(("file", "text", "message"), BASELINES)
def test_a_malformed_baseline_is_an_error_with_its_file(
    project: Project, file: str, text: str, message: str
) -> None:
    project.store()
    (project.path / "baselines" / file).write_text(text)
    result = project.run("--beir-report=report", "--beir-update")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "unchanged", "beta": "error"}
    result.stdout.fnmatch_lines([message])
    assert (project.path / "baselines" / file).read_text() == text


def test_a_baseline_of_another_dataset_is_not_comparable(project: Project) -> None:
    project.store()
    home = project.path / "baselines" / "retriever"
    for suffix in (".yaml", ".queries.tsv"):
        (home / f"beta{suffix}").write_bytes((home / f"alpha{suffix}").read_bytes())
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "unchanged", "beta": "not comparable"}


def test_other_judgements_are_not_comparable_and_can_be_accepted(project: Project) -> None:
    project.store()
    with (project.path / "data/beta/qrels/test.tsv").open("a") as qrels:
        qrels.write("q00\td01\t1\n")
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts()["beta"] == "not comparable"
    result.stdout.fnmatch_lines(["FAILED *beta*judgements differ*--beir-accept=incomparable*"])
    accepted = project.run("--beir-accept=incomparable", "--beir-reason=more judgements")
    assert accepted.ret == 0
    assert "more judgements" in (project.path / "baselines/retriever/beta.yaml").read_text()
    assert project.run().ret == 0


def test_a_changed_corpus_is_compared_and_flagged(project: Project) -> None:
    project.store()
    with (project.path / "data/beta/corpus.jsonl").open("a") as corpus:
        corpus.write('{"_id": "new", "title": "", "text": "new"}\n')
    result = project.run("--beir-report=report")
    assert result.ret == 0
    flags = {each["dataset"]: each["flags"] for each in project.report()["results"]}
    assert flags == {"alpha": [], "beta": ["corpus-changed"]}
    project.config((project.path / "beir.yaml").read_text() + "gate: {corpus_change: fail}\n")
    assert project.run().ret == 1


@pytest.mark.parametrize("folder", ["baselines", "baselines/retriever"])
def test_baselines_that_cannot_be_read_are_errors_of_their_datasets(
    project: Project, folder: str
) -> None:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("whoever runs the tests may read everything")
    project.store()
    power = "-dac_override,-dac_read_search"
    as_others = ["setpriv", "--bounding-set", power, "--inh-caps", power]
    command = [sys.executable, "-m", "pytest", "-p", "beir", "--beir"]
    if os.geteuid() == 0:
        command = [*as_others, *command]
    (project.path / folder).chmod(0)
    try:
        run = subprocess.run(command, cwd=project.path, capture_output=True, text=True, check=False)
    finally:
        (project.path / folder).chmod(0o755)
    assert run.returncode == 1
    assert "BEIR: 0 passed, 0 regressed, 0 improved, 0 cannot tell, 2 errors" in run.stdout
    assert "alpha.yaml: cannot be read" in run.stdout


OPENS_NOTHING = """
import pytest
import pytest_beir


@pytest.fixture(scope="session")
def titles():
    return pytest_beir.load_dataset("nowhere/at-all").corpus


@pytest.fixture(scope="session")
def retriever(titles):
    return pytest_beir.BM25()
"""


def test_an_error_of_ours_in_a_users_fixture_is_told_without_our_traceback(
    project: Project,
) -> None:
    project.conftest(OPENS_NOTHING)
    shown = project.run("--beir-conformance").stdout
    shown.fnmatch_lines(
        ["*nowhere/at-all: no such folder; a dataset is a folder with queries.jsonl *[[]BEIR201]"]
    )
    shown.fnmatch_lines(["  raised in titles, conftest.py:8"])
    shown.fnmatch_lines(["beta ended in an error: a fixture raised DatasetError:*"])
    shown.no_fnmatch_line("*pytest_beir/*.py*")


def test_the_traceback_is_there_for_whoever_asks_for_it(project: Project) -> None:
    project.conftest(OPENS_NOTHING)
    project.run("--tb=long").stdout.fnmatch_lines(["*def find_folder(*"])


def test_the_traceback_of_a_users_own_error_in_a_fixture_stays(project: Project) -> None:
    project.conftest(OPENS_NOTHING.replace("pytest_beir.load_dataset(", "open("))
    project.run().stdout.fnmatch_lines([">*open(*", "*conftest.py:8: FileNotFoundError"])
