"""`pytest-beir reference NAME`: what others published on a dataset or a named set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_beir.commands import printing
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.dataset_names import dataset_name, is_known
from pytest_beir.datasets.set_comparison import label, named_set
from pytest_beir.errors import UsageError
from pytest_beir.published.reference_scores import (
    load_scores,
    published_average,
    published_scores,
    systems,
)
from pytest_beir.published.score import metric_name
from pytest_beir.reports.numbers import score
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    import argparse

    from pytest_beir.published.reference_scores import PublishedScore, SystemAverage

_METRICS = ("nDCG@10", "R@100")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "reference",
        help="published scores of a dataset, with their source",
        description="Print what others published on a dataset, a forum (cqadupstack/android) or"
        " a named set (public-13), each with its source.",
    )
    parser.add_argument("name", metavar="NAME", help="a dataset, a forum or a named set")
    parser.add_argument("--metric", type=metric_name, help="only this metric")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the scores.

    Raises:
        UsageError: Nothing is published by that metric.

    """
    known = sorted({each.metric for each in load_scores()})
    if args.metric is not None and args.metric not in known:
        raise UsageError(f"no published score by {args.metric!r}; there are {', '.join(known)}")
    metrics = (args.metric,) if args.metric else _METRICS
    if args.name in load_catalog().sets:
        averages = [
            published_average(system, named_set(metric, args.name))
            for metric in metrics
            for system in systems()
        ]
        if args.json:
            print(json.dumps(_averages_json(averages), ensure_ascii=False, indent=1))  # noqa: T201
        else:
            _show_averages(averages)
        return 0
    scores = [each for metric in metrics for each in _published(args.name, metric)]
    if args.json:
        print(json.dumps(_scores_json(args.name, scores), ensure_ascii=False, indent=1))  # noqa: T201
    else:
        _show_scores(args.name, scores)
    return 0


def _published(name: str, metric: str) -> tuple[PublishedScore, ...]:
    published = sorted({each.dataset for each in load_scores()})
    found = published_scores(name, metric=metric)
    if found or published_scores(name):
        return found
    if is_known(name):
        raise UsageError(
            f"no published scores of {dataset_name(name)!r} are shipped; there are scores of"
            f" {', '.join(each for each in published if '/' not in each)}"
        )
    near = did_you_mean(name, [*published, *load_catalog().sets])
    raise UsageError(f"no dataset and no named set is called {name!r}{near}")


def _scores_json(name: str, scores: list[PublishedScore]) -> dict[str, object]:
    return {"dataset": dataset_name(name), "scores": [each._asdict() for each in scores]}


def _averages_json(averages: list[SystemAverage]) -> dict[str, object]:
    return {
        "averages": [
            {
                "system": each.system,
                "metric": each.set.metric,
                "set": {
                    "name": each.set.name or None,
                    "members": list(each.set.members),
                    "id": each.set.id,
                },
                "value": each.value,
                "missing": list(each.missing),
                "sources": list(each.sources),
            }
            for each in averages
        ]
    }


def _show_scores(name: str, scores: list[PublishedScore]) -> None:
    console = printing.console()
    members = sorted({each.member for each in scores})
    console.print(f"Published scores on {' and '.join(members) or dataset_name(name)}:\n")
    numbers: dict[str, int] = {}
    table = printing.table(
        ("system", "fixed"),
        ("dataset", "fixed"),
        ("metric", "fixed"),
        ("score", "number"),
        ("source", "number"),
    )
    for each in scores:
        number = numbers.setdefault(each.source, len(numbers) + 1)
        table.add_row(each.system, each.member, each.metric, score(each.value, 4), f"[{number}]")
    console.print(table)
    _show_sources(numbers)


def _show_averages(averages: list[SystemAverage]) -> None:
    console = printing.console()
    for metric in dict.fromkeys(each.set.metric for each in averages):
        chosen = [each for each in averages if each.set.metric == metric]
        console.print(f"Published {metric} over {label(chosen[0].set, members=True)}:\n")
        table = printing.table(
            ("system", "fixed"), ("average", "number"), ("set", "fixed"), ("not published", "text")
        )
        for each in chosen:
            missing = ", ".join(each.missing)
            table.add_row(each.system, score(each.value, 4), each.set.id, missing)
        console.print(table)
        console.print()
    console.print("Each score with its source: pytest-beir reference DATASET")


def _show_sources(numbers: dict[str, int]) -> None:
    print()  # noqa: T201
    for source, number in numbers.items():
        print(f"[{number}] {source}")  # noqa: T201
