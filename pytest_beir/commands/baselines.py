"""`pytest-beir baselines`: what is stored, what a change does to it, and what a merge left."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

from pytest_beir import provenance
from pytest_beir.commands import baseline_review, project
from pytest_beir.configuration.declaration import named_by_config, resolve
from pytest_beir.errors import UsageError
from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import change, limit, score
from pytest_beir.stored_results.listing import inventory

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.table import Table

    from pytest_beir.commands.project import Project
    from pytest_beir.stored_results.listing import Inventory, ListedBaseline, MetricEntry


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "baselines",
        help="list the stored baselines with their age and drift, or compare and repair them",
        description="List every stored baseline: how old it is, how often and why it was written,"
        " and how far its scores have drifted from their anchors. Exit status 1 if one cannot be"
        " read. 'diff [REV]' shows what differs from a git revision (default HEAD), 'repair' which"
        " side of a merge is whole where a baseline was left broken.",
    )
    parser.add_argument("action", nargs="?", choices=("diff", "repair"), help="default: the list")
    parser.add_argument("revision", nargs="?", metavar="REV", help="with diff (default: HEAD)")
    parser.add_argument(
        "--take", choices=("ours", "theirs"), help="with repair: put this side in place"
    )
    project.add_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list; 1 if a baseline is malformed.

    Raises:
        UsageError: Options do not go together.

    """
    found = project.open_project(args)
    if args.action == "diff":
        return baseline_review.diff(found, args.revision or "HEAD", as_json=args.json)
    if args.revision is not None or (args.take and args.action != "repair"):
        raise UsageError("a revision goes with 'diff', and --take with 'repair'")
    if args.action == "repair":
        return baseline_review.repair(found, args.take)
    listed = inventory(
        found.baselines,
        found.config,
        declared=_declared(found),
        today=date.fromisoformat(provenance.today()),
    )
    if args.json:
        print(json.dumps(asdict(listed), ensure_ascii=False, indent=1))  # noqa: T201
    else:
        _show(listed)
    return 1 if listed.malformed else 0


def _declared(found: Project) -> frozenset[str] | None:
    """The names in use; None where `beir.yaml` declares nothing, so that nobody can tell."""
    named = named_by_config(found.config)
    if not named:
        return None
    return named | {each.name for each in resolve(None, found.config, base=found.folder)}


def _show(listed: Inventory) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    if not (listed.baselines or listed.malformed):
        console.print(
            f"no baselines in {listed.folder}: store some with `pytest --beir --beir-update`",
            soft_wrap=True,
        )
    for retriever in dict.fromkeys(each.retriever for each in listed.baselines):
        table = Table(box=None, pad_edge=False)
        table.add_column("dataset", no_wrap=True)
        table.add_column("age", no_wrap=True, justify="right")
        table.add_column("updates", no_wrap=True, justify="right")
        table.add_column("metric", no_wrap=True)
        for title in ("mean", "anchor", "drift"):
            table.add_column(title, no_wrap=True, justify="right")
        table.add_column("why")
        for entry in listed.baselines:
            if entry.retriever == retriever:
                _add_rows(table, entry)
        console.print(retriever, style="bold")
        console.print(table)
        console.print()
    for line in _remarks(listed):
        console.print(line, soft_wrap=True)


def _add_rows(table: Table, entry: ListedBaseline) -> None:
    """A row for each metric; what holds for the baseline as a whole stands in the first."""
    head = (entry.dataset, _age(entry), str(entry.updates))
    why = f"{entry.category}: {entry.reason}" if entry.reason else entry.category
    for name, metric in entry.metrics.items():
        table.add_row(*head, name, score(metric.mean), score(metric.anchor), _drift(metric), why)
        head, why = ("", "", ""), ""


def _age(entry: ListedBaseline) -> str:
    return entry.written if entry.age is None else plural(entry.age, "day")


def _drift(metric: MetricEntry) -> str:
    return f"{change(metric.drift)}{' !' if metric.has_drifted else ''}"


def _remarks(listed: Inventory) -> Iterator[str]:
    for entry in listed.baselines:
        for name, metric in entry.metrics.items():
            if metric.has_drifted:
                because = f" ({metric.anchor_reason})" if metric.anchor_reason else ""
                yield (
                    f"drift: {entry.retriever}/{entry.dataset} {name} {change(metric.drift)} since"
                    f" {metric.anchor_written}{because}, half the margin {limit(metric.margin)} or"
                    " more"
                )
    for entry in listed.baselines:
        if entry.unused:
            yield (
                f"unused: {entry.retriever}/{entry.dataset}, which beir.yaml does not name:"
                " declare it, or delete it with --beir-prune"
            )
    for each in listed.malformed:
        yield f"malformed: {each.retriever}/{each.dataset}: {each.error}"
