"""A connection without Dask: what is asked of it, what is said of it, and how long it is missed."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.distributed import connection
from pytest_beir.distributed.address import SchedulerAddress
from pytest_beir.distributed.connection import Connection, Health
from pytest_beir.errors import RetrieverError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Clock:
    now: float = 1000.0

    def monotonic(self) -> float:
        return self.now


@dataclass
class Scheduler:
    """As much of a connection and its client as its health is asked of."""

    name: str = "the scheduler here"
    status: str = "running"
    threads: dict[str, int] = field(default_factory=lambda: {"one": 2})
    asked: int = 0

    @property
    def client(self) -> Any:
        return self

    def nthreads(self) -> dict[str, int]:
        self.asked += 1
        return self.threads

    def ask(self, question: Callable[[], Any]) -> Any:
        return question()

    def lost(self, told: str) -> RetrieverError:
        return RetrieverError(told)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(connection, "time", moved)
    return moved


def health_of(scheduler: Scheduler) -> Health:
    return Health(scheduler)  # type: ignore[arg-type]


def test_it_is_asked_for_at_most_once_a_second(clock: Clock) -> None:
    scheduler = Scheduler()
    health = health_of(scheduler)
    for now, asked in ((1000.9, 0), (1001.0, 1), (1001.9, 1), (1002.0, 2)):
        clock.now = now
        health.check()
        assert scheduler.asked == asked


def test_a_scheduler_may_be_away_for_ten_seconds(clock: Clock) -> None:
    scheduler = Scheduler(status="connecting")
    health = health_of(scheduler)
    clock.now += 10
    health.check()
    assert scheduler.asked == 0  # nobody is there to ask
    scheduler.status = "running"
    clock.now += 2
    health.check()
    scheduler.status = "connecting"
    clock.now += 10
    health.check()
    clock.now += 1
    with pytest.raises(RetrieverError, match=r"^the scheduler here was lost$"):
        health.check()


def test_workers_may_be_away_for_a_minute(clock: Clock) -> None:
    scheduler = Scheduler(threads={})
    health = health_of(scheduler)
    clock.now += 60
    health.check()
    scheduler.threads = {"one": 2}
    clock.now += 1
    health.check()
    scheduler.threads = {}
    clock.now += 60
    health.check()
    clock.now += 1
    with pytest.raises(RetrieverError, match=r"has had no worker for 60 seconds"):
        health.check()


def test_whatever_comes_back_shows_that_all_are_there(clock: Clock) -> None:
    scheduler = Scheduler(threads={})
    health = health_of(scheduler)
    clock.now += 59
    health.seen()
    clock.now += 59
    health.check()
    scheduler.status = "connecting"
    health.seen()
    clock.now += 9
    health.check()


class Dask:
    """As much of Dask as a connection uses, and what was asked of it."""

    def __init__(self, workers: int = 2, error: Exception | None = None) -> None:
        self.workers, self.error = workers, error
        self.clients: list[dict[str, Any]] = []
        self.submitted: list[dict[str, Any]] = []
        self.closed = 0
        self.status = "running"

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=self.connect))

    def connect(self, **given: Any) -> Any:
        self.clients.append(given)
        if self.error is not None:
            raise self.error
        return self

    def wait_for_workers(self, number: int, timeout: float) -> None:  # noqa: ARG002
        if self.workers < number:
            raise TimeoutError

    def nthreads(self) -> dict[str, int]:
        return {f"worker {number}": 4 for number in range(self.workers)}

    def submit(self, function: Any, *arguments: Any, **given: Any) -> Any:
        self.submitted.append(given)
        return function(*arguments)

    def run(self, *_: Any, **__: Any) -> None: ...

    def close(self, timeout: float) -> None:  # noqa: ARG002
        self.closed += 1


def connection_to(**given: Any) -> Connection:
    return Connection(SchedulerAddress("here", **given or {"url": "tcp://here:8786"}))


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'pytest-beir\[distributed\]'"):
        connection_to().connect()


def test_it_connects_once_and_counts_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = Dask(workers=3)
    dask.install(monkeypatch)
    made = connection_to()
    made.connect()
    made.connect()
    assert made.workers == 3  # whatever threads each has
    (given,) = dask.clients
    assert given["address"] == "tcp://here:8786"
    made.close()
    made.close()
    assert dask.closed == 1
    file = connection_to(file=Path("scheduler.json"))
    file.connect()
    assert dask.clients[-1]["scheduler_file"] == "scheduler.json"
    assert "address" not in dask.clients[-1]


def test_a_scheduler_that_is_not_there_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = Dask(error=OSError("refused"))
    dask.install(monkeypatch)
    made = connection_to()
    for _ in range(2):
        with pytest.raises(
            RetrieverError, match=r"scheduler here cannot be reached \(OSError: refused\)"
        ):
            made.connect()
    assert len(dask.clients) == 1


def test_a_scheduler_without_workers_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = Dask(workers=0)
    dask.install(monkeypatch)
    made = connection_to()
    with pytest.raises(RetrieverError, match="has no worker after 15 seconds: start some"):
        made.connect()
    assert (dask.closed, made.client) == (1, None)


def test_a_retriever_is_sent_once_until_it_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = Dask()
    dask.install(monkeypatch)
    made = connection_to()
    made.connect()
    assert made.send_retriever(b"packed") == b"packed"
    made.send_retriever(b"packed")
    assert len(dask.submitted) == 1
    made.release()
    made.send_retriever(b"packed")
    assert len(dask.submitted) == 2
    made.submit("task", str, 7, prefers="tcp://worker")
    prefers = [(each["workers"], each["allow_other_workers"]) for each in dask.submitted]
    assert prefers == [(None, False), (None, False), (["tcp://worker"], True)]
    keys = [each["key"] for each in dask.submitted]
    assert len({*keys}) == 3
    assert [key.rpartition("-")[0] for key in keys] == ["beir-retriever"] * 2 + ["task"]


def test_what_is_lost_stays_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = Dask()
    dask.install(monkeypatch)
    made = connection_to()
    made.connect()

    def closed() -> None:
        raise RuntimeError("closed")

    with pytest.raises(RetrieverError, match=r"here was lost \(RuntimeError: closed\); datasets"):
        made.ask(closed)
    for again in (lambda: made.ask(dict), made.connect):
        with pytest.raises(RetrieverError, match="was lost"):
            again()


def test_closing_lets_workers_close_their_retriever_first(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = Dask()
    dask.install(monkeypatch)
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(dask, "run", lambda task, **_: told.append((task.__name__, dask.closed)))
    made = connection_to()
    made.connect()
    made.close()
    assert told == [("close_retriever", 0)]
    assert dask.closed == 1
