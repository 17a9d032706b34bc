"""What is to be noted of one retriever's datasets: flags, news in the data, versions, limits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_beir.phrasing import joined, plural
from pytest_beir.reports.flags import hint, meaning, shown_flags
from pytest_beir.reports.numbers import limit
from pytest_beir.reports.remark import Remark
from pytest_beir.reports.wording import deciding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.gate.verdict import MetricVerdict
    from pytest_beir.suite.run import RetrieverFamily


def notes(evaluations: Sequence[Evaluation]) -> Iterator[Remark]:
    """Flags of datasets whose verdict needs no look, by flag; and what is new in the data."""
    bearers: dict[str, list[str]] = {}
    for each in evaluations:
        if each.verdict not in {"regressed", "inconclusive"}:
            for flag in shown_flags(each):
                bearers.setdefault(flag, []).append(each.dataset)
    for flag, datasets in bearers.items():
        told = meaning(flag)
        text = f"{joined(datasets)}{f': {told}' if told else ''}"
        yield Remark(flag, text, "yellow", hint(flag))
    for each in evaluations:
        for note in each.notes:
            yield Remark("note", f"{each.dataset}: {note}", "plain")
        for warning in each.warnings:
            if warning not in _repeated(each):
                yield Remark("warning", f"{each.dataset}: {warning}", "yellow")
    repeated = sum(len(_repeated(each)) for each in evaluations)
    if repeated:
        known = f"{plural(repeated, 'warning')} on the data, known since the baseline"
        yield Remark("data", known, "dim", "data")


def version_notes(
    evaluations: Sequence[Evaluation], versions: Mapping[tuple[str, str], str]
) -> Iterator[Remark]:
    """What runs in another version than the baseline did, beside each dataset that dropped."""
    dropped: dict[str, list[str]] = {}
    for each in evaluations:
        moved = versions.get((each.retriever, each.dataset))
        metric = deciding(each)
        fell = metric is not None and metric.current is not None and metric.current.delta < 0
        if moved and fell:
            dropped.setdefault(moved, []).append(each.dataset)
    for moved, datasets in dropped.items():
        yield Remark("versions", f"{joined(datasets)}: {moved} since the baseline", "yellow")


def changed_versions(
    stored: Mapping[tuple[str, str], Baseline] | None,
    versions: Mapping[tuple[str, str], Mapping[str, str | None]] | None,
) -> dict[tuple[str, str], str]:
    """{key: `numpy 1.26.4 → 2.0.0`} of what made the baseline in another version."""
    changed = {}
    for key, now in (versions or {}).items():
        before = stored[key].history.versions if stored and key in stored else {}
        moved = [
            f"{name} {before[name]} → {version}"
            for name, version in now.items()
            if name != "pytest-beir" and before.get(name) not in (None, version)
        ]
        if moved:
            changed[key] = ", ".join(moved)
    return changed


def data_details(evaluations: Sequence[Evaluation]) -> Iterator[Remark]:
    """Warnings on the data that an earlier run has given as well."""
    for each in evaluations:
        for warning in _repeated(each):
            yield Remark("warning", f"{each.dataset}: {warning}", "yellow")


def limits(evaluations: Sequence[Evaluation], family: RetrieverFamily) -> Iterator[Remark]:
    """The limits and levels in force: the usual ones, then the datasets that differ."""
    tested = [
        (each.dataset, metric)
        for each in evaluations
        for metric in each.metrics.values()
        if metric.gated and metric.current is not None
    ]
    if not tested:
        return
    usual = Counter(_limits_of(metric) for _, metric in tested).most_common(1)[0][0]
    level, effect, margin = usual
    text = (
        f"fails at p ≤ {level} with a loss of min_effect {effect} or more; margin {margin}; "
        f"α\N{NO-BREAK SPACE}{limit(family.alpha)} over {plural(family.family, 'test')}"
    )
    several = len({metric.metric for _, metric in tested}) > 1
    others: dict[str, list[str]] = {}
    for dataset, metric in tested:
        own = _limits_of(metric)
        twice = " against current and anchor each" if metric.against_anchor is not None else ""
        named = ((f"p ≤ {own[0]}{twice}", 0), (f"min_effect {own[1]}", 1), (f"margin {own[2]}", 2))
        parts = [part for part, place in named if own[place] != usual[place]]
        if parts:
            name = f"{dataset} {metric.metric}" if several else dataset
            others.setdefault(", ".join(parts), []).append(name)
    if others:
        text += f"; but {'; '.join(f'{p} for {joined(names)}' for p, names in others.items())}"
    yield Remark("limits", text, "dim")


def _repeated(evaluation: Evaluation) -> tuple[str, ...]:
    """Warnings that an earlier run has given, which has stored a baseline of these data."""
    is_new = "corpus-changed" in evaluation.flags
    if is_new or evaluation.verdict in {"no baseline", "not comparable", "error"}:
        return ()
    return evaluation.data_warnings


def _limits_of(metric: MetricVerdict) -> tuple[str, str, str]:
    return limit(metric.alpha), limit(metric.min_effect), limit(metric.margin)
