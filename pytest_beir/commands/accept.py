"""`pytest-beir accept DIR --reason TEXT`: a report's scores become baselines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir import provenance
from pytest_beir.baselines import store
from pytest_beir.baselines.update import CATEGORIES
from pytest_beir.commands import printing, project
from pytest_beir.configuration.option_values import chosen, ci_refusal
from pytest_beir.errors import UsageError
from pytest_beir.stored_results import report_folder
from pytest_beir.stored_results.acceptance import decide
from pytest_beir.text_layout import Line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from pytest_beir.commands.project import Project
    from pytest_beir.stored_results.acceptance import Decision


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "accept",
        help="make baselines of a report's scores, without retrieving again",
        description="Judge a report's scores against the stored baselines once more, and store"
        " those that the update table lets in. Exit status 1 if any was refused.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a report, scores/ included")
    parser.add_argument("--reason", required=True, metavar="TEXT", help="kept in the baselines")
    parser.add_argument(
        "--only",
        action="append",
        metavar="KINDS",
        help=f"some of {','.join(CATEGORIES)} (default: all of them)",
    )
    project.add_options(parser)
    parser.add_argument(
        "--update-on-ci", action="store_true", help="allow writing baselines where CI is set"
    )
    parser.add_argument("--json", action="store_true", help="print the decisions as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write what is permitted, print every decision; 1 if anything was refused.

    Raises:
        UsageError: The reason is empty, or CI is set.

    """
    permitted = frozenset(
        CATEGORIES if args.only is None else chosen("--only", args.only, CATEGORIES)
    )
    if not args.reason.strip():
        raise UsageError("--reason is empty: say why the scores are accepted; baselines keep it")
    if provenance.is_ci(os.environ) and not args.update_on_ci:
        raise ci_refusal("--update-on-ci")
    found = project.open_project(args, is_written=True)
    decisions = decide(
        report_folder.read(args.folder),
        found.config,
        found.stored,
        permitted=permitted,
        reason=args.reason,
        today=provenance.today(),
    )
    store.finish(found.baselines)
    for decision in decisions:
        if decision.baseline is not None:
            store.save(found.baselines, decision.baseline)
    if args.json:
        print(json.dumps(_as_json(decisions), ensure_ascii=False, indent=1))  # noqa: T201
    else:
        printing.show(_lines(decisions, found))
    return 1 if any(decision.refused for decision in decisions) else 0


def _as_json(decisions: Sequence[Decision]) -> dict[str, object]:
    return {
        "decisions": [
            {
                "retriever": each.retriever,
                "dataset": each.dataset,
                "written": each.baseline is not None,
                "category": each.category,
                "refused": each.refused,
                "text": each.text,
            }
            for each in decisions
        ]
    }


def _lines(decisions: Sequence[Decision], found: Project) -> Iterator[Line]:
    several = len({each.retriever for each in decisions}) > 1
    for each in decisions:
        style = "green" if each.baseline else "red" if each.refused else "plain"
        text = f"{each.retriever} {each.text}" if several else each.text
        yield Line(text, style)  # type: ignore[arg-type]  # one of the styles, chosen above
    written = sum(each.baseline is not None for each in decisions)
    refused = sum(each.refused for each in decisions)
    yield Line(f"{written} written to {_short(found.baselines)}, {refused} refused")


def _short(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
