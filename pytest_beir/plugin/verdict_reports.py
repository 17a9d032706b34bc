"""Failed reports on the run as a whole: no verdict at all, averages, groups, strict flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.plugin.retriever_identity import clash
from pytest_beir.reports.averages import diffuse_sentence, sentence
from pytest_beir.reports.strict import complaint_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_beir.plugin.finish import Closing
    from pytest_beir.plugin.results import Gathering

HOME = "conftest.py"
"""Where such a report claims to stand."""


def of(closing: Closing, gathering: Gathering) -> Iterator[pytest.TestReport]:
    """Every such report; each makes pytest's exit status 1 by itself, JUnit XML included."""
    for name, keys in sorted(gathering.clashes.items()):
        yield _report(f"beir-name[{name}]", clash(name, tuple(keys)))
    if closing.collected.to_run and not closing.has_verdict:
        absences = sorted({absence.reason for absence in gathering.absences.values()})
        yield _report(
            "beir-verdict",
            f"none of {len(closing.collected.to_run)} tests of the suite reached a verdict"
            + (f" ({'; '.join(absences)})" if absences else ""),
        )
    for wrong in closing.run.misnamed:
        yield _report(f"beir-{wrong.key}", wrong.text)
    for average in closing.run.averages:
        if average.fails:
            name = f"beir-average[{average.retriever}-{average.metric}]"
            yield _report(name, sentence(average))
    for loss in closing.run.diffuse:
        if loss.fails:
            name = f"beir-diffuse[{loss.retriever}-{loss.metric}]"
            yield _report(name, diffuse_sentence(loss))
    for complaint in closing.run.complaints:
        told = complaint_line(complaint, closing.run.command)
        yield _report(f"beir-strict[{complaint.subject}]", told)


def _report(name: str, message: str) -> pytest.TestReport:
    text = message.replace("\N{NO-BREAK SPACE}", " ")
    # Older releases of pytest show an error's text in the short summary, but not a plain string.
    with pytest.raises(pytest.fail.Exception) as error:
        pytest.fail(text, pytrace=False)
    return pytest.TestReport(
        nodeid=f"{HOME}::{name}",
        location=(HOME, None, name),
        keywords={},
        outcome="failed",
        longrepr=error.getrepr(style="value"),
        when="call",
    )
