"""How long a scheduler or its workers may be away, on a clock that the test moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.distributed import connection
from pytest_beir.distributed.connection import Health
from pytest_beir.errors import RetrieverError

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
