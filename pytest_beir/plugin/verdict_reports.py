"""Failed reports on the run as a whole: what is missing, averages, groups, strict flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.reports.averages import diffuse_sentence, sentence
from pytest_beir.reports.remark import TEST_RUN
from pytest_beir.reports.strict import complaint_line
from pytest_beir.text_layout import in_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.suite.run import SuiteRun

HOME = "conftest.py"
"""Where such a report claims to stand."""

_REMEMBER_TESTS = ("lfplugin", "stepwiseplugin")
"""Plugins of pytest that keep the ids of failed tests: these ids could never be run again."""


def emit(run: SuiteRun, config: pytest.Config, *, judged: bool, encoding: str) -> int:
    """Send every such report to pytest, whose exit status becomes 1 by it; gives their number.

    Where the run was cut off (`judged` is False), nothing is said of averages and strict flags.
    `encoding` is that of the terminal.
    """
    remembering = [config.pluginmanager.get_plugin(name) for name in _REMEMBER_TESTS]
    send = config.pluginmanager.subset_hook_caller(
        "pytest_runtest_logreport", [plugin for plugin in remembering if plugin is not None]
    )
    reports = [*_failures(run), *(_flags(run) if judged else ())]
    for name, message in reports:
        send(report=_report(name, in_encoding(message, encoding)))
    return len(reports)


def is_own(report: pytest.TestReport) -> bool:
    """Whether a report is one of these."""
    return report.nodeid.startswith(f"{HOME}::beir-")


def _failures(run: SuiteRun) -> Iterator[tuple[str, str]]:
    for failure in run.failures:
        yield f"beir-{failure.key}", failure.text


def _flags(run: SuiteRun) -> Iterator[tuple[str, str]]:
    once = TEST_RUN["one search"]
    for average in run.averages:
        if average.fails:
            name = f"beir-average[{average.retriever}-{average.metric}]"
            yield name, f"{sentence(average)}{once}"
    for loss in run.diffuse:
        if loss.fails:
            name = f"beir-diffuse[{loss.retriever}-{loss.metric}]"
            yield name, f"{diffuse_sentence(loss, run.evaluations)}{once}"
    for complaint in run.complaints:
        told = complaint_line(complaint, run.command)
        yield f"beir-strict[{complaint.subject}]", told


def _report(name: str, message: str) -> pytest.TestReport:
    text = message.replace("\N{NO-BREAK SPACE}", " ")
    # Older releases of pytest show an error's text in the short summary, but not a plain string.
    with pytest.raises(pytest.fail.Exception) as error:
        pytest.fail(text, pytrace=False)
    longrepr: Any = error.getrepr(style="value")
    return pytest.TestReport(
        nodeid=f"{HOME}::{name}",
        location=(HOME, None, name),
        keywords={},
        outcome="failed",
        longrepr=longrepr,
        when="call",
    )
