"""`pytest-beir compare A B`: two systems, compared as the gate compares."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir import provenance
from pytest_beir.commands import printing, project
from pytest_beir.configuration.declared_dataset import DataSource
from pytest_beir.errors import UsageError
from pytest_beir.reports import folder, html, json, terminal
from pytest_beir.reports.remark import COMPARE
from pytest_beir.reports.report_of_run import report_of
from pytest_beir.reports.story import compose
from pytest_beir.stored_results.query_view import one_query, worst
from pytest_beir.stored_results.side_by_side import SideBySide, Sides, declared_for
from pytest_beir.stored_results.sides import open_side
from pytest_beir.text_layout import Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.reports.story import Story
    from pytest_beir.suite.run import SuiteRun


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "compare",
        help="compare two systems query by query",
        description="Compare B with A by the gate's statistics. Each is a TREC run file (with"
        " --dataset), a folder of <dataset>.trec or .trec.gz, a retriever's folder of baselines,"
        " one baseline (.yaml), or a report (the folder of beir.json). Exit status 1 if B has"
        " regressed.",
    )
    parser.add_argument("before", metavar="A", help="what stands for the baseline")
    parser.add_argument("after", metavar="B", help="what is judged")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--dataset",
        metavar="NAME_OR_FOLDER",
        help="what run files answer; a folder has a '/'",
    )
    which.add_argument(
        "--datasets",
        action="append",
        metavar="A,B,SET",
        help="the suite, as --beir-datasets takes it (default: what both have)",
    )
    parser.add_argument("--split", help="with --dataset: which judgements (default: test)")
    project.add_options(parser, baselines=False)
    parser.add_argument("--cache", metavar="DIR", help="where downloads and side files live")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as a page")
    parser.add_argument("--offline", action="store_true", help="never connect")
    look = parser.add_mutually_exclusive_group()
    look.add_argument("--json", action="store_true", help="print the report as JSON")
    look.add_argument(
        "--query", metavar="ID", help="show both rankings of one query, and nothing else"
    )
    look.add_argument(
        "--worst",
        type=_count,
        metavar="N",
        help="list the N queries that lost most, and nothing else",
    )
    parser.set_defaults(run=run)


def _count(written: str) -> int:
    if not written.isdecimal() or int(written) == 0:
        raise argparse.ArgumentTypeError(f"{written!r} is not a number of queries; for example 20")
    return int(written)


def run(args: argparse.Namespace) -> int:
    """Print the comparison; 1 if a dataset or an average failed.

    Raises:
        UsageError: Options do not go together, or there is nothing to compare.

    """
    if args.split and not args.dataset:
        raise UsageError("--split goes with --dataset; a suite's splits are in beir.yaml")
    found = project.open_project(args)
    sides = Sides(open_side(args.before), open_side(args.after))
    words = [args.dataset] if args.dataset else args.datasets
    suite = declared_for(sides, words, found.config, Path.cwd())
    if args.dataset and len(suite) != 1:
        raise UsageError(f"--dataset={args.dataset}: names {len(suite)} datasets: use --datasets")
    if args.split:
        suite = (suite[0].at_split(args.split),)
    data = DataSource(args.cache, args.offline, found.config.mirror)
    compared = SideBySide(sides, found.config, data)
    if args.query is not None or args.worst is not None:
        _look(args, compared, suite)
        return 0
    result = compared.run(
        suite,
        left_over=sides.left_over if words is None else None,
        environment=provenance.environment(found.folder),
    )
    if args.html is not None:
        stored = {
            (sides.retriever, dataset): scores for dataset, scores in compared.baselines.items()
        }
        told = compose(result, texts=found.config.report.texts, stored=stored, hints=COMPARE)
        _write_page(args.html, told)
    if args.json:
        print(json.render(report_of(result)), end="")  # noqa: T201
    else:
        printing.show(_lines(result, sides, texts=found.config.report.texts))
    return 1 if _has_failed(result) else 0


def _write_page(path: Path, told: Story) -> None:
    if not html.is_available():
        raise UsageError(f"--html={path}: needs pip install 'pytest-beir[report]'")
    folder.write_files({path.name: html.render(told)}, path.parent)


def _look(args: argparse.Namespace, compared: SideBySide, suite: Sequence[DeclaredDataset]) -> None:
    """Print one query, or the worst ones, of the one dataset that is compared."""
    option = "--query" if args.query is not None else "--worst"
    if len(suite) != 1:
        names = ", ".join(declared.name for declared in suite)
        raise UsageError(f"{option}: of which dataset ({names})? Add --dataset=NAME")
    scores = compared.scores(suite[0])
    texts, ascii_only = compared.config.report.texts, printing.is_ascii()
    if args.query is not None:
        printing.show(one_query(scores, args.query, texts=texts, ascii=ascii_only))
    else:
        printing.show(worst(scores, args.worst, texts=texts, ascii=ascii_only))


def _has_failed(result: SuiteRun) -> bool:
    return result.fails_as_a_whole or any(not each.passed for each in result.evaluations)


def _lines(result: SuiteRun, sides: Sides, *, texts: bool) -> Iterator[Line]:
    ascii_only = printing.is_ascii()
    yield Line(f"baseline: {sides.before.label}")
    yield Line(f"now: {sides.after.label}")
    for each in result.evaluations:
        if not each.passed and each.metrics:
            block = terminal.failure_block(each, texts=texts, ascii=ascii_only)
            yield from map(Line, ["", *block.splitlines()] if block else [])
    yield Line("")
    yield from terminal.summary(compose(result, texts=texts, hints=COMPARE), ascii=ascii_only)
