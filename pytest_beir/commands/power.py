"""`pytest-beir power`: what the declared suite can detect, and what it cannot."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.commands import project
from pytest_beir.configuration.declaration import resolve
from pytest_beir.gate.power import FEWEST_QUERIES, TYPICAL
from pytest_beir.phrasing import plural
from pytest_beir.reports.numbers import count, limit, score
from pytest_beir.suite.power import powers

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from rich.console import Console

    from pytest_beir.gate.power import Detectable
    from pytest_beir.suite.power import SuitePower, TestPower

_KINDS = ("parameter", "analyser", "system", "observed")
_SMALL = 0.01
_MEANING = (
    "parameter, analyser, system: changes whose differences per query have a standard deviation"
    " of {parameter}, {analyser} and {system}; observed: between the two vectors of the baseline."
)


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "power",
        help="what the suite can and cannot detect",
        description=(
            "Print for every test of the declared suite the drop that it finds four times in five,"
            " the queries that would exclude a drop of the margin, and the verdicts out of reach."
        ),
    )
    parser.add_argument(
        "--datasets",
        action="append",
        metavar="A,B,SET",
        help="the suite, as --beir-datasets takes it (default: that of beir.yaml)",
    )
    project.add_options(parser)
    parser.add_argument("--retriever", metavar="NAME", help="default: all that have baselines")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the tables, one for each retriever, or JSON; 0."""
    found = project.open_project(args)
    declared = resolve(args.datasets, found.config, base=Path.cwd())
    suites = powers(found.config, declared, found.baselines, args.retriever)
    if args.json:
        plain = {"retrievers": [_as_json(suite) for suite in suites]}
        print(json.dumps(plain, ensure_ascii=False, indent=1))  # noqa: T201
    else:
        _print(suites)
    return 0


def _as_json(suite: SuitePower) -> dict[str, object]:
    return asdict(suite)


def _print(suites: tuple[SuitePower, ...]) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    for suite in suites:
        name = suite.retriever or "any retriever (no baselines yet)"
        tests = plural(suite.family, "test")
        console.print(f"{name}: α {limit(suite.alpha)} over {tests}\n", style="bold")
        _print_drops(console, suite)
        _print_needed(console, suite)
        for line in _remarks(suite):
            console.print(f"- {line}")
        console.print()
    console.print(_MEANING.format(**{kind: limit(sd) for kind, sd in TYPICAL.items()}))


def _print_drops(console: Console, suite: SuitePower) -> None:
    """The drop that each test finds."""
    from rich.table import Table

    console.print("The smallest drop that is found four times in five:")
    table = Table(box=None, pad_edge=False)
    table.add_column("dataset", no_wrap=True)
    table.add_column("metric", no_wrap=True)
    for title in ("queries", "level", "margin", *_shown(suite)):
        table.add_column(title, justify="right", no_wrap=True)
    for test in suite.tests:
        kinds = _by_kind(test)
        table.add_row(
            test.dataset,
            test.metric,
            "?" if test.power is None else count(test.power.n),
            limit(test.alpha),
            limit(test.margin),
            *(_score(kinds[kind].mde) if kind in kinds else "–" for kind in _shown(suite)),
        )
    console.print(table)
    console.print()


def _print_needed(console: Console, suite: SuitePower) -> None:
    """The queries that would find a drop of the margin, or exclude it."""
    from rich.table import Table

    console.print("Queries that would find / exclude a drop of the margin (*: there are enough):")
    table = Table(box=None, pad_edge=False)
    table.add_column("dataset", no_wrap=True)
    several = len({test.metric for test in suite.tests}) > 1
    if several:
        table.add_column("metric", no_wrap=True)
    for title in _shown(suite):
        table.add_column(title, justify="right", no_wrap=True)
    for test in suite.tests:
        kinds = _by_kind(test)
        table.add_row(
            test.dataset,
            *([test.metric] if several else []),
            *(_needed(kinds[kind]) if kind in kinds else "–" for kind in _shown(suite)),
        )
    console.print(table)
    console.print()


def _needed(sight: Detectable) -> str:
    if sight.to_detect is None or sight.to_exclude is None:
        return "–"
    found = f"{count(sight.to_detect)}{'*' if sight.detects_margin else ''}"
    return f"{found}/{count(sight.to_exclude)}{'*' if sight.excludes_margin else ''}"


def _remarks(suite: SuitePower) -> Iterator[str]:
    for test in suite.tests:
        name = f"{test.dataset} {test.metric}"
        if test.power is None:
            yield f"{name}: {test.unknown}"
            continue
        if "regressed" in test.power.out_of_reach:
            yield (
                f"{name}: toothless: neither `regressed` nor `improved` can come about: a p of"
                f" {limit(test.alpha)} takes {test.power.fewest_changed} changed queries"
            )
        if test.floor is not None:
            setting = f"{{{test.dataset}: {{floor: {{{test.metric}: {limit(test.floor)}}}}}}}"
            yield (
                f"{name}: too small to exclude a drop; `overrides: {setting}` in beir.yaml's gate "
                f"fails on a collapse at any p"
            )
        if "within tolerance" in test.power.out_of_reach:
            yield (
                f"{name}: `within tolerance` cannot come about: it takes {FEWEST_QUERIES} queries;"
                f" what is not significant is `inconclusive`"
            )
    reached = [test for test in suite.tests if test.power is not None]
    changed = sorted({test.power.fewest_changed for test in reached if test.power is not None})
    if changed:
        most = f" to {changed[-1]}" if len(changed) > 1 else ""
        queries = f"{changed[0]}{most} changed queries"
        yield f"`regressed` takes at least {queries}, however much they lost"
    if any(not test.capped for test in suite.tests):
        yield "without a baseline's mean the margin is not capped at 10 % of it"


def _shown(suite: SuitePower) -> list[str]:
    """The kinds of change with a figure, in their order."""
    there = {kind for test in suite.tests for kind in _by_kind(test)}
    return [kind for kind in _KINDS if kind in there]


def _by_kind(test: TestPower) -> dict[str, Detectable]:
    return {} if test.power is None else {sight.kind: sight for sight in test.power.detectable}


def _score(value: float) -> str:
    return score(value, 4 if value < _SMALL else 3)
