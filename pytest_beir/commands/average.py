"""`pytest-beir average`: which published averages may be compared, and whose order turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.commands import printing
from pytest_beir.datasets.dataset_names import official_split
from pytest_beir.datasets.set_comparison import label, metric_difference
from pytest_beir.phrasing import plural
from pytest_beir.published.csv_file import TableShape
from pytest_beir.published.score import listed, metric_name
from pytest_beir.published.score_table import DEFAULT_METRIC, tabulate
from pytest_beir.published.sources import read_scores
from pytest_beir.published.survey import survey
from pytest_beir.reports.numbers import score

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from pytest_beir.datasets.average_set import AverageSet
    from pytest_beir.published.survey import Coverage, Covered, Reversal

# A set of more is named by its id alone; the table above lists what others lack.
_MOST_MEMBERS = 20
_FEW = 3


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "average",
        help="which published averages may be compared at all",
        description="Say which models may be compared, on which sets of datasets, and how their"
        " order changes between the mean of what each reports and the sets they share.",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a CSV file (model, dataset, split, metric, value), a folder of MTEB's results, or a"
        " beir.json",
    )
    parser.add_argument(
        "--metric", type=metric_name, help="the metric to average (default: nDCG@10)"
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=10,
        metavar="N",
        help="show the first N sets, models and reversals (default: 10); JSON has all",
    )
    parser.add_argument(
        "--wide",
        action="store_true",
        help="tables have a row for each model and a column for each dataset",
    )
    parser.add_argument("--percent", action="store_true", help="values of tables go from 0 to 100")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the survey; 0 unless a file is malformed."""
    shape = TableShape(wide=args.wide, percent=args.percent, metric=args.metric or DEFAULT_METRIC)
    reading = read_scores(args.paths, shape)
    coverage = survey(tabulate(reading.scores, args.metric))
    if args.json:
        print(json.dumps(as_json(coverage), ensure_ascii=False))  # noqa: T201
    else:
        _show(coverage, reading.notes, max(0, args.limit))
    return 0


def as_json(coverage: Coverage) -> dict[str, object]:
    """Plain values; every id in `reversals` is one of `sets`.

    A pair whose common members are no model's whole set stands in `reversals_elsewhere`, with
    those members. `aside` are members that belong to no set, with the models that report them.
    """
    listed = {each.set.id for each in coverage.sets}
    return {
        "models": len(coverage.table.models),
        "metric": coverage.table.metric,
        "sets": [{**_set_json(each.set), "models": list(each.models)} for each in coverage.sets],
        "reversals": [_reversal_json(each) for each in coverage.reversals if each.set.id in listed],
        "reversals_elsewhere": [
            {**_reversal_json(each), "members": list(each.set.members)}
            for each in coverage.reversals
            if each.set.id not in listed
        ],
        "aside": {name: list(models) for name, models in coverage.table.aside.items()},
        "contradictory": {name: list(text) for name, text in coverage.table.contradictory.items()},
        "dataset_revisions": {name: dict(of) for name, of in coverage.table.revisions.items()},
    }


def _set_json(average_set: AverageSet) -> dict[str, object]:
    return {
        "id": average_set.id,
        "name": average_set.name or None,
        "members": list(average_set.members),
    }


def _reversal_json(reversal: Reversal) -> dict[str, object]:
    return {
        "a": reversal.a,
        "b": reversal.b,
        "raw": list(reversal.raw),
        "raw_sets": [each.id for each in reversal.raw_sets],
        "common": list(reversal.common),
        "set": reversal.set.id,
    }


def _show(coverage: Coverage, notes: Sequence[str], limit: int) -> None:
    console = printing.console()
    models = plural(len(coverage.table.models), "model")
    sets = plural(len(coverage.sets), "different set")
    console.print(
        f"{coverage.table.metric} of {models}, over {sets} of datasets. Averages compare only"
        " within a set, or over what two models share.\n"
    )
    _show_sets(console, coverage, limit)
    for line in (*_mismatches(coverage), *notes):
        console.print(f"- {line}", soft_wrap=True)
    _show_ranking(console, coverage, limit)
    _show_reversals(console, coverage, limit)


def _show_sets(console: Console, coverage: Coverage, limit: int) -> None:
    table = printing.table(
        ("set", "fixed"),
        ("name", "fixed"),
        ("datasets", "number"),
        ("models", "number"),
        ("cover it", "number"),
        ("members (official splits)", "text"),
    )
    for each in coverage.sets[: max(1, limit)]:
        counts = (len(each.set.members), len(each.models), each.covering)
        table.add_row(each.set.id, each.set.name, *map(str, counts), _members(each))
    console.print(table)
    more = len(coverage.sets) - max(1, limit)
    if more > 0:
        console.print(f"and {plural(more, 'smaller set')} (--limit, --json)")
    console.print()


def _members(covered: Covered) -> str:
    if not covered.lacks:
        return "all"
    if len(covered.lacks) < len(covered.set.members):
        return f"lacks {listed([*map(_short, covered.lacks)], _FEW)}"
    return f"only {listed([*map(_short, covered.set.members)], _FEW)}"


def _short(member: str) -> str:
    """A member without its split where that is the one everybody uses."""
    dataset, _, split = member.rpartition("@")
    return dataset if split == official_split(dataset) else member


def _mismatches(coverage: Coverage) -> list[str]:
    """What keeps models from being compared, in sentences."""
    table, reference = coverage.table, coverage.reference
    lines = []
    if reference is not None:
        whole = coverage.sets[0].covering
        members = None if len(reference.members) <= _MOST_MEMBERS else False
        named = label(reference, members=members)
        lines.append(f"{whole} of {len(table.models)} models cover {named}")
    contradictions = [text for texts in table.contradictory.values() for text in texts]
    if contradictions:
        models = plural(len(table.contradictory), "model")
        lines.append(f"set aside, contradicting itself: {models}")
        lines += [f"  {text}" for text in contradictions[:_FEW]]
        if len(contradictions) > _FEW:
            lines.append(f"  and {len(contradictions) - _FEW} more contradictions (--json)")
    lines += _revisions(table.revisions)
    misses = coverage.near_misses
    lines += [
        f"{miss.model} lacks {listed(miss.lacks)} for that and has {listed(miss.reports)},"
        " which is another dataset"
        for miss in misses[:_FEW]
    ]
    if len(misses) > _FEW:
        lines.append(f"so do {plural(len(misses) - _FEW, 'more model')}")
    if table.aside:
        aside = [f"{name} ({plural(len(who), 'model')})" for name, who in table.aside.items()]
        lines.append(f"in no set, being another split or a part: {listed(aside)}")
    if coverage.uncovered:
        lines.append(f"without any score on an official split: {listed(coverage.uncovered)}")
    if coverage.without_common:
        pairs = plural(coverage.without_common, "pair")
        lines.append(f"{pairs} of models share fewer than two datasets and cannot be compared")
    if table.repeated:
        lines.append(f"{plural(table.repeated, 'row')} repeated an earlier one")
    lines += [
        f"{plural(rows, 'row')} of {metric} left aside: {difference}"
        for metric, rows in table.others.items()
        if (difference := metric_difference(table.metric, metric))
    ]
    return lines


def _revisions(revisions: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Datasets that not all models measured in the same revision: then they may be two datasets."""
    lines = []
    for name, models in list(revisions.items())[:_FEW]:
        counts = [
            f"{revision[:12]} ({plural(count, 'model')})" for revision, count in models.items()
        ]
        lines.append(
            f"{name} was measured on different revisions of the dataset, {listed(counts, 4)};"
            " their scores compare only if the revisions hold the same data"
        )
    if len(revisions) > _FEW:
        lines.append(f"and {len(revisions) - _FEW} more datasets on different revisions (--json)")
    return lines


def _show_ranking(console: Console, coverage: Coverage, limit: int) -> None:
    reference = coverage.reference
    if reference is None or not limit:
        return
    console.print(
        f"\nBy the mean of what each reports, and by the mean over"
        f" {label(reference, members=False)}:\n"
    )
    table = printing.table(
        ("place", "number"),
        ("model", "name"),
        ("mean", "number"),
        ("over the set", "fixed"),
        ("common", "number"),
        ("place", "number"),
    )
    for each in coverage.ranking[:limit]:
        over = f"{each.set.id} ({len(each.set.members)})"
        cells = [str(each.place), each.model, score(each.raw, 4), over]
        if each.common_place is not None:
            cells += [score(each.common, 4), str(each.common_place)]
        table.add_row(*cells)
    console.print(table)


def _show_reversals(console: Console, coverage: Coverage, limit: int) -> None:
    if not coverage.reversals:
        console.print("\nNo two models change order between their own means and a common set.")
        return
    comparable = coverage.pairs - coverage.without_common
    console.print(
        f"\n{len(coverage.reversals):,} of {comparable:,} pairs change order between the means of"
        " what each reports and the datasets they share; the first on the largest shared sets:\n"
    )
    for each in coverage.reversals[:limit]:
        (raw_a, raw_b), (set_a, set_b) = each.raw, each.raw_sets
        console.print(
            f"- {each.a} {score(raw_a, 4)} over set {set_a.id} ({len(set_a.members)}) is above"
            f" {each.b} {score(raw_b, 4)} over set {set_b.id} ({len(set_b.members)}); over"
            f" {label(each.set, members=False)} it has {score(each.common[0], 4)} and is below"
            f" {score(each.common[1], 4)}",
            soft_wrap=True,
        )
