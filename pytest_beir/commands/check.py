"""`pytest-beir check FOLDER`: what is wrong with a dataset's files, with file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.datasets.cache import cache_folder
from pytest_beir.inspection.checks import check_folder
from pytest_beir.phrasing import plural

if TYPE_CHECKING:
    import argparse

    from pytest_beir.inspection.checks import Findings


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "check",
        help="lint a dataset's folder",
        description="Read every file of a dataset's folder strictly. Exit status 1 on errors.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder in BEIR's form")
    parser.add_argument(
        "--addition",
        type=Path,
        metavar="FILE",
        help="judgements to be added, such as a filled-in to-judge file: do they fit?",
    )
    parser.add_argument(
        "--tolerant", action="store_true", help="count judgements that are given twice once"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--cache", metavar="DIR", help="where side files of the corpus live")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what was found; give 1 if there are errors, else 0."""
    added = args.addition and args.addition.expanduser().absolute()
    folder = args.folder.expanduser().absolute()
    findings = check_folder(folder, cache_folder(args.cache), added, tolerant=args.tolerant)
    if args.json:
        print(json.dumps(findings.as_json(), ensure_ascii=False, indent=1))  # noqa: T201
    else:
        _print(findings)
    return 1 if findings.errors else 0


def _print(findings: Findings) -> None:
    lines = [f"{error}  [{error.kind}]" for error in findings.errors]
    lines += [f"warning: {warning}  [{warning.code}]" for warning in findings.warnings]
    documents = "no" if findings.documents is None else f"{findings.documents:,}"
    lines.append(
        f"{documents} documents, {findings.queries:,} judged queries, "
        f"{findings.judgements:,} judgements; errors: {len(findings.errors):,}, "
        f"warnings: {len(findings.warnings):,}"
    )
    if findings.addition is not None:
        pending = findings.addition.pending
        lines.append(
            f"addition: {plural(findings.addition.judged, 'new judgement')}"
            + (f", {pending:,} not yet judged" if pending else "")
            + ("; append the judged rows to the qrels" if not findings.errors else "")
        )
    print("\n".join(lines))  # noqa: T201
