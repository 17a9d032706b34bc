"""How often a report is written while the run goes on."""

from __future__ import annotations

import pytest

from pytest_beir.plugin.live_report import Pace


class Time:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Report:
    """Remembers when it was written, which takes 0.41 seconds of work."""

    def __init__(self) -> None:
        self.clock, self.work = Time(), Time()
        self.written: list[float] = []

    def write(self) -> None:
        self.work.now += 0.41
        self.written.append(self.clock.now - 100.0)

    def fail(self) -> None:
        self.write()
        raise OSError("full")


def test_a_fifth_of_a_second_of_work_is_free_and_then_a_twentieth_of_the_run() -> None:
    report = Report()
    pace = Pace(report.clock, report.work)
    for _ in range(40):
        report.clock.now += 1.0
        pace.take(report.write)
    # The first is free, and its 0.41 seconds are a twentieth of the first nine. Then it is one in
    # eight or nine: 0.82 of 17, 1.23 of 25, 1.64 of 33.
    assert report.written == [1, 9, 17, 25, 33]


def test_a_report_that_cannot_be_written_counts_too() -> None:
    report = Report()
    pace = Pace(report.clock, report.work)
    with pytest.raises(OSError, match="full"):
        pace.take(report.fail)
    pace.take(report.write)
    assert len(report.written) == 1
