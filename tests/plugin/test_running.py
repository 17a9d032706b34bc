"""Ways to run: workers, reruns, interruption, and JUnit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.plugin.conftest import RETRIEVER

if TYPE_CHECKING:
    from tests.plugin.conftest import Project


def test_results_are_the_same_with_workers_and_in_any_order(project: Project) -> None:
    project.conftest(
        RETRIEVER.replace("    def index", '    trained_on = ["fever"]\n\n    def index')
    )
    project.store()
    project.drop(8)
    project.run("--beir-report=one")
    project.run("--beir-report=again")
    project.workers = 2
    project.run("--beir-report=two")
    project.workers = 0
    project.conftest(
        (project.path / "conftest.py").read_text()
        + "\ndef pytest_collection_modifyitems(items):\n    items.reverse()\n"
    )
    project.run("--beir-report=reversed")
    first = project.report("one")
    assert first["retrievers"][0]["trained_on"] == ["fever"]
    for other in ("again", "two", "reversed"):
        again = project.report(other)
        assert again["results"] == first["results"]
        assert again["averages"] == first["averages"]
        assert again["suite"] == first["suite"]
        assert again["retrievers"] == first["retrievers"]


@pytest.mark.parametrize("dist", ["each", "loadgroup"])
def test_every_way_to_distribute_gives_the_same_verdicts(spread: Project, dist: str) -> None:
    """Each worker runs every test, or node ids bear the name of a group."""
    assert spread.run("--beir-update", f"--dist={dist}", "--beir-report=first").ret == 0
    assert spread.verdicts("first") == {"alpha": "no baseline", "beta": "no baseline"}
    written = spread.baselines()
    shutil.rmtree(spread.path / "baselines")
    spread.store()
    assert spread.baselines() == written


NOISY = """
import random

import pytest

class Noisy:
    calls = 0

    def index(self, corpus):
        self.ids = list(corpus)

    def search(self, queries, top_k):
        Noisy.calls += 1
        if Noisy.calls > 4:  # each red is searched twice
            return {q: {"d" + q[1:]: 1.0} for q in queries}
        return {q: {"x00": 1.0} for q in queries}

@pytest.fixture(scope="session")
def retriever():
    return Noisy()
"""


def test_a_rerun_repeats_the_verdict(project: Project) -> None:
    project.store()
    project.conftest(NOISY)
    result = project.run("-p", "rerunfailures", "--reruns=2", "--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "regressed", "beta": "regressed"}


def test_a_rerun_may_mend_an_error(project: Project) -> None:
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            "        answer = {}",
            "        flag = HERE / self.corpus.name\n"
            "        if not flag.exists():\n"
            "            flag.touch()\n"
            "            raise OSError('the server was asleep')\n"
            "        answer = {}",
        )
    )
    result = project.run("-p", "rerunfailures", "--reruns=1", "--beir-report=report")
    assert result.ret == 0
    assert project.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}


def test_ctrl_c_keeps_its_exit_status_and_the_results_so_far(both: Project) -> None:
    both.store()
    text = (both.path / "conftest.py").read_text()
    both.conftest(
        text.replace(
            "        answer = {}",
            "        if self.corpus.name == 'beta':\n"
            "            (HERE / 'waiting').touch()\n"
            "            import time\n            time.sleep(60)\n"
            "        answer = {}",
        )
    )
    process = subprocess.Popen(
        both.alone("--beir", "--beir-report=report"),
        cwd=both.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    report = both.path / "report" / "beir.json"
    while not ((both.path / "waiting").exists() and "unchanged" in report.read_text()):
        assert process.poll() is None  # it ends by itself, though late
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 2, output.decode()
    assert both.verdicts() == {"alpha": "unchanged"}


def test_junit_holds_a_handful_of_numbers(project: Project) -> None:
    project.store()
    project.drop(20)
    result = project.run("--junitxml=junit.xml")
    assert result.ret == 1
    tree = ET.parse(project.path / "junit.xml")  # noqa: S314  # our own run has written it
    cases = {case.get("name"): case for case in tree.iter("testcase")}
    case = cases["beir[alpha]"]
    failure = case.find("failure")
    assert failure is not None
    assert failure.text is not None
    line, *details = failure.text.splitlines()
    assert line == "nDCG@10 −.307 (1.000 → .693), p < 1e-6, 20 of 40 queries worse"
    assert failure.get("message") == f"Failed: {line}"
    assert "The 5 queries that lost most (nDCG@10)" in details
    properties = {p.get("name"): p.get("value") for p in case.iter("property")}
    assert properties["beir.verdict"] == "regressed"
    assert float(properties["beir.nDCG@10.delta"] or "nan") == pytest.approx(-0.3066, abs=1e-4)
    assert 5 <= len(properties) <= 8
