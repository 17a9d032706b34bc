"""A scheduler and two workers as processes of their own, as on other machines; then it is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_beir.distributed import connection
from pytest_beir.distributed.address import parse
from pytest_beir.distributed.cluster import Cluster
from pytest_beir.distributed.on_cluster import RetrieverOnCluster
from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.bm25 import BM25
from pytest_beir.retrieval.retriever import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.datasets.dataset import Dataset


@dataclass(frozen=True)
class Remote:
    file: Path
    scheduler: subprocess.Popen[bytes]


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Remote]:
    pytest.importorskip("distributed", reason="needs dask: pip install 'pytest-beir[distributed]'")
    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    settings = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen([*dask, *settings, "--scheduler-file", file], **quiet)  # type: ignore[call-overload]
    while not file.is_file():
        assert scheduler.poll() is None
        time.sleep(0.1)
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--no-dashboard"]
    settings = ["--scheduler-file", str(file), "--nthreads", "1", "--death-timeout", "60"]
    workers = [subprocess.Popen([*worker, *settings], **quiet) for _ in range(2)]  # type: ignore[call-overload]
    yield Remote(file, scheduler)
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def test_workers_over_tcp_answer_as_one_process_until_the_scheduler_is_lost(
    remote: Remote, manual: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_LOST", 0.5)
    cluster = Cluster(parse(f"{remote.file},shards=4", Path()))
    value = BM25()
    retriever = RetrieverOnCluster(value, wrap(value).form, cluster, None)
    expected = wrap(BM25()).rankings(manual, 20)
    assert retriever.rankings(manual, 20).run == expected.run
    remote.scheduler.kill()
    for _ in range(2):  # the second error comes at once
        with pytest.raises(RetrieverError, match=r"scheduler .* was lost.* are kept"):
            retriever.rankings(manual, 20)
    with suppress(Exception):
        retriever.close()
    cluster.close()


def test_an_address_without_a_scheduler_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="needs dask: pip install 'pytest-beir[distributed]'")
    monkeypatch.setattr(connection, "_CONNECT", 0.5)
    cluster = Cluster(parse("tcp://127.0.0.1:1", Path()))
    for _ in range(2):
        with pytest.raises(RetrieverError, match=r"cannot be reached .*dask scheduler"):
            cluster.connect()
