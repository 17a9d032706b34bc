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


def test_half_a_second_of_work_is_free_and_then_a_tenth_of_the_run() -> None:
    report = Report()
    pace = Pace(report.clock, report.work)
    for _ in range(40):
        report.clock.now += 1.0
        pace.take(report.write)
    # Two are free, which takes 0.82 seconds: a tenth of the first nine. Then it is one in four.
    assert report.written == [1, 2, 9, 13, 17, 21, 25, 29, 33, 37]


def test_a_report_that_cannot_be_written_counts_too() -> None:
    report = Report()
    pace = Pace(report.clock, report.work)
    for _ in range(2):
        with pytest.raises(OSError, match="full"):
            pace.take(report.fail)
    pace.take(report.write)
    assert len(report.written) == 2
