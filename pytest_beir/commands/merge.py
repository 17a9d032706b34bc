"""`pytest-beir merge DIR… --report DIR`: the shards of one suite become one report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.baselines import store
from pytest_beir.baselines.change import changes
from pytest_beir.commands import printing, project
from pytest_beir.configuration.declaration import named_by_config
from pytest_beir.configuration.option_values import strict_flags
from pytest_beir.errors import UsageError
from pytest_beir.reports import folder as report_files
from pytest_beir.reports import json, story, terminal
from pytest_beir.reports.next_steps import accepting
from pytest_beir.reports.remark import MERGE
from pytest_beir.reports.strict import complaint_line
from pytest_beir.stored_results import report_folder
from pytest_beir.stored_results.revisions import exported, past_means
from pytest_beir.stored_results.shards import merge, missing_words
from pytest_beir.text_layout import Line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from pytest_beir.baselines.change import BaselineChange
    from pytest_beir.commands.project import Project
    from pytest_beir.reports.story import Story
    from pytest_beir.stored_results.report_folder import Key, ReportFolder
    from pytest_beir.stored_results.shards import Merged


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "merge",
        help="put the shards of one suite together and test its averages",
        description="Put reports of `pytest --beir --beir-only=… --beir-report=DIR` together, as if"
        " one job had run the suite. Exit status 1 if anything failed, or if a shard is missing,"
        " foreign or contradicts another.",
    )
    parser.add_argument("shards", nargs="+", type=Path, metavar="DIR", help="a shard's report")
    parser.add_argument(
        "--report", required=True, type=Path, metavar="DIR", help="where the whole report goes"
    )
    project.add_options(parser)
    parser.add_argument(
        "--baselines-from",
        metavar="REV",
        help="the revision whose baselines the shards were gated on (--beir-baselines-from)",
    )
    parser.add_argument(
        "--strict",
        nargs="?",
        const="default",
        metavar="FLAGS",
        help="flags that fail, as --beir-strict takes them (default: strict of beir.yaml)",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the whole report and print its summary; 1 where it fails or is not whole."""
    found = project.open_project(args)
    if args.baselines_from is None:
        return _merge(args, found, ())
    with exported(found.baselines, args.baselines_from) as older:
        changed = changes(older, found.baselines)
        return _merge(args, replace(found, baselines=older), changed)


def _merge(args: argparse.Namespace, found: Project, changed: Sequence[BaselineChange]) -> int:
    strict = strict_flags("--strict", args.strict, found.config, behind="a shard")
    _refuse_overwriting(args.report, args.shards)
    report_files.refuse_baselines("--report", args.report, found.baselines)
    shards = [report_folder.read(path) for path in args.shards]
    merged = merge(
        shards,
        found.readable,
        average=found.config.average,
        strict=strict,
        unused=_unused(found, shards),
    )
    keys = [(each.retriever, each.dataset) for each in merged.run.evaluations]
    told = story.compose(
        merged.run,
        texts=False,
        report=merged.report,
        changed_baselines=changed,
        stored={key: known for key in keys if (known := found.readable(*key)) is not None},
        drift={key: past_means(found.baselines, *key) for key in keys},
        hints=MERGE,
        remedy=accepting(args.report),
    )
    report_files.replace(told, args.report, scores=merged.scores)
    if args.json:
        print(json.render(merged.report), end="")  # noqa: T201
    else:
        printing.show(_lines(merged, told, args.report))
    return 1 if _has_failed(merged) or merged.run.complaints else 0


def _has_failed(merged: Merged) -> bool:
    return (
        bool(merged.missing)
        or not merged.report.results  # shards in which nothing ran prove nothing
        or any(not each.passed for each in merged.report.results)
        or merged.run.fails_as_a_whole
        or bool(merged.run.failures)
    )


def _lines(merged: Merged, told: Story, folder: Path) -> Iterator[Line]:
    yield from terminal.summary(told, ascii=printing.is_ascii())
    for complaint in merged.run.complaints:
        if complaint.evaluation is not None:  # the summary has those of the run as a whole
            yield Line(f"strict: {complaint_line(complaint, merged.run.command)}", "red")
    if not merged.report.results:
        yield Line("missing: no shard has a result of any dataset", "red")
    elif merged.missing:
        yield Line(f"missing: {missing_words(merged.missing)}", "red")
    yield Line(f"written: {folder}")


def _refuse_overwriting(target: Path, shards: Sequence[Path]) -> None:
    for shard in shards:
        if shard.resolve() == target.resolve():
            raise UsageError(f"--report={target} is one of the shards: name another folder")


def _unused(found: Project, shards: Sequence[ReportFolder]) -> tuple[Key, ...]:
    """The stored baselines that neither the suite nor `beir.yaml` names."""
    names = {each.name for each in shards[0].suite} | named_by_config(found.config)
    unnamed = store.unnamed(store.stored(found.baselines), names)
    return tuple((key.retriever, key.dataset) for key in unnamed)
