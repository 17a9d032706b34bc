"""Failed reports on the run as a whole, as the terminal of the run can show them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin import verdict_reports
from pytest_beir.suite.run import RunFailure, SuiteRun

if TYPE_CHECKING:
    from collections.abc import Callable

RUN = SuiteRun(
    suite_id="s",
    declared=(),
    selected=(),
    retrievers=(),
    evaluations=(),
    failures=(RunFailure("lost", "nDCG@10 .7 → .6, −.1", "lost"),),
)


@pytest.fixture
def emitted() -> Callable[[str], list[pytest.TestReport]]:
    """What a terminal of an encoding is sent of `RUN`."""

    def send(encoding: str) -> list[pytest.TestReport]:
        reports: list[pytest.TestReport] = []

        def record(*, report: pytest.TestReport) -> None:
            reports.append(report)

        manager = SimpleNamespace(
            get_plugin=lambda _: None,
            subset_hook_caller=lambda *_: record,
        )
        config: Any = SimpleNamespace(pluginmanager=manager)
        assert verdict_reports.emit(RUN, config, judged=True, encoding=encoding) == 1
        return reports

    return send


@pytest.mark.parametrize(
    ("encoding", "text"), [("utf-8", "nDCG@10 .7 → .6, −.1"), ("ascii", "nDCG@10 .7 -> .6, -.1")]
)
def test_a_report_is_spelled_for_its_terminal(
    emitted: Callable[[str], list[pytest.TestReport]], encoding: str, text: str
) -> None:
    [report] = emitted(encoding)
    assert report.nodeid == "conftest.py::beir-lost"
    assert report.failed
    assert report.longreprtext == text
