"""Gated groups over the whole suite: one that no query belongs to would never fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.evaluation.groups import never_met

if TYPE_CHECKING:
    from pytest_beir.configuration.settings import Groups
    from pytest_beir.suite.run import SuiteRun


def unmet_groups(run: SuiteRun, groups: Groups | None) -> str | None:
    """The complaint that a gated group was met in no dataset; None unless the run was complete."""
    if groups is None or run.did_not_run or not run.evaluations:
        return None
    if any(each.verdict == "error" for each in run.evaluations):
        return None
    met = {group.name for each in run.evaluations for group in each.findings.groups}
    return never_met(groups.gate, met)
