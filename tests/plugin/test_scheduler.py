"""`--beir-scheduler`: whole datasets side by side, parts of corpora, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

# A nested run in this process forgets what it imported, and other processes would not know it.
import pytest_beir.plugin.on_scheduler  # noqa: F401

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

KNOWING = """
import pytest

class Knowing:
    shardable = True

    def index(self, corpus):
        self.ids = list(corpus)

    def search(self, queries, top_k):
        return {q: {d: 1.0 if d[1:] == q[1:] else 0.5 for d in self.ids} for q in queries}

@pytest.fixture(scope="session")
def retriever():
    return Knowing()
"""

FAILING = """
import logging
import pytest

class Full:
    shardable = True

    def index(self, corpus):
        logging.getLogger("disk").warning("nearly full")
        raise OSError("no space left")

    def search(self, queries, top_k):
        return {}

@pytest.fixture(scope="session")
def retriever():
    return Full()
"""


@pytest.fixture
def needs_dask() -> None:
    # Imported before a nested run, which forgets what it imports: it cannot be imported twice.
    pytest.importorskip("distributed", reason="needs dask: pip install 'pytest-beir[distributed]'")


@pytest.mark.usefixtures("needs_dask")
def test_datasets_side_by_side_and_in_parts_leave_the_same_files(project: Project) -> None:
    project.conftest(KNOWING)
    project.run("--beir-update", "--beir-baselines=one")
    project.run("--beir-update", "--beir-baselines=whole", "--beir-scheduler=local:2")
    result = project.run(
        "--beir-update", "--beir-baselines=parts", "--beir-scheduler=local:1,shards=3",
        "--beir-report=report",
    )  # fmt: skip
    assert result.ret == 0
    assert len(project.baselines("one")) == 4
    assert project.baselines("whole") == project.baselines("one")
    assert project.baselines("parts") == project.baselines("one")
    scheduler = project.report()["environment"]["scheduler"]
    assert scheduler == {"address": "local:1", "workers": 1, "shards": 3}


@pytest.mark.usefixtures("needs_dask")
def test_a_failure_shows_traceback_and_log_of_the_worker(project: Project) -> None:
    project.conftest(FAILING)
    result = project.run("--beir-scheduler=local:1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*in index*",
            "OSError: no space left",
            "Log of the worker:",
            "WARNING disk: nearly full",
            "*alpha ended in an error: index() raised OSError: no space left*",
        ]
    )


def test_workers_of_xdist_and_a_scheduler_exclude_each_other(project: Project) -> None:
    project.workers = 2
    result = project.run("--beir-scheduler=local:2")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-scheduler and xdist's -n*leave one of them out*"])


def test_a_value_that_names_no_scheduler_is_a_usage_error(project: Project) -> None:
    result = project.run("--beir-scheduler=scheduler.jsn")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-scheduler=scheduler.jsn: no file*local:WORKERS*"])
