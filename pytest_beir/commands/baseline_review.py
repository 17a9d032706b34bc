"""What a reviewer asks of changed baselines, and what a merge left of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_beir.baselines.change import changes
from pytest_beir.commands import printing
from pytest_beir.configuration.declaration import resolve
from pytest_beir.configuration.declared_dataset import DataSource, DeclaredDataset
from pytest_beir.reports.baseline_changes import change_line
from pytest_beir.reports.numbers import score
from pytest_beir.stored_results.revisions import conflicts, exported, take
from pytest_beir.text_layout import Line, Page, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.baselines.change import BaselineChange
    from pytest_beir.commands.project import Project

_MOVED = 5  # queries that lost most, and as many that gained most


def diff(found: Project, revision: str, *, as_json: bool) -> int:
    """Print what differs from a revision; 0 also with differences."""
    with exported(found.baselines, revision) as older:
        differing = changes(older, found.baselines)
    if as_json:
        print(json.dumps([_change_as_json(each) for each in differing], indent=1))  # noqa: T201
        return 0
    if not differing:
        printing.show([Line(f"no baseline differs from {revision}")])
    for differs in differing:
        printing.show(_difference(differs, found))
    return 0


def _change_as_json(change: BaselineChange) -> dict[str, object]:
    metrics = () if change.after is None else change.after.metrics
    return {
        "retriever": change.retriever,
        "dataset": change.dataset,
        "text": change_line(change),
        "queries": {metric: change.moved(metric) for metric in metrics},
    }


def _difference(change: BaselineChange, found: Project) -> Iterator[Line]:
    """A change and the queries that moved most, with their texts where the dataset is at hand."""
    page = Page(ascii=printing.is_ascii())
    page.paragraph(f"{change.retriever}/{change.dataset}: {change_line(change)}", "bold")
    metric = next(iter(change.after.metrics), None) if change.after is not None else None
    moved = [*change.moved(metric).items()] if metric else []
    if moved:
        texts = _texts(change, found)
        shown = moved if len(moved) <= 2 * _MOVED else [*moved[:_MOVED], *moved[-_MOVED:]]
        for query, (old, new) in shown:
            page.add(
                f"  {score(old)} → {score(new)}  {clean(query)}  {clean(texts.get(query, ''))}"
            )
        if len(shown) < len(moved):
            page.add(f"  and {len(moved) - len(shown)} between these")
    return iter(page.lines)


def _texts(change: BaselineChange, found: Project) -> Mapping[str, str]:
    """The texts of the queries, of a dataset that is here already."""
    if not found.config.report.texts:
        return {}
    declared = resolve(None, found.config, base=found.folder) if found.config.datasets else ()
    known = {each.name: each for each in declared}
    dataset = DataSource().at_hand(known.get(change.dataset, DeclaredDataset(change.dataset)))
    return {} if dataset is None else dataset.queries


def repair(found: Project, side: str | None) -> int:
    """Say which side of a merge is whole, and put it in place if asked; 1 if any is left broken."""
    left = 0
    lines = []
    for conflict in conflicts(found.baselines):
        name = f"{conflict.retriever}/{conflict.dataset}"
        if side in conflict.sides:
            take(found.baselines, conflict, side)
            lines.append(Line(f"{name}: repaired, {side} taken", "green"))
            continue
        left += 1
        whole = [f"{each} ({_means(baseline)})" for each, baseline in conflict.sides.items()]
        told = (
            f"whole: {' and '.join(whole)}; put {'one' if len(whole) > 1 else 'it'} in place with "
            f"{' or '.join(f'--take={each}' for each in conflict.sides)}"
            if whole
            else "git has no whole side of it: measure it again with `pytest --beir --beir-update`"
        )
        lines.append(Line(f"{name}: {clean(conflict.problem)}", "red"))
        lines.append(Line(f"  {told}"))
    printing.show(lines or [Line("every baseline is whole")])
    return 1 if left else 0


def _means(baseline: Baseline) -> str:
    accepted = baseline.history.accepted
    shown = ", ".join(f"{metric} {score(baseline.mean(metric))}" for metric in baseline.metrics)
    return f"{shown}, {accepted.category} of {accepted.written}"
