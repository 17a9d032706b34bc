"""`pytest-beir import`: a team's own judgements and documents become a dataset's folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.errors import UsageError
from pytest_beir.inspection.golden.documents import read_documents
from pytest_beir.inspection.golden.golden_set import make_golden_set
from pytest_beir.inspection.golden.judgements import read_judgements
from pytest_beir.inspection.golden.summary import as_json, as_text
from pytest_beir.inspection.golden.writing import check_target, write_folder

if TYPE_CHECKING:
    import argparse


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "import",
        help="make a dataset's folder from your own judgements and documents",
        description=(
            "Make a folder in BEIR's form from judgements (CSV, JSON, JSON Lines; Quepid's exports"
            " among them) and documents (JSON Lines, JSON, CSV or a folder of text files)."
        ),
    )
    parser.add_argument(
        "judgements",
        type=Path,
        metavar="JUDGEMENTS",
        help="columns: query, doc_id (or docid), rating, optionally group and query_id",
    )
    parser.add_argument(
        "--documents",
        type=Path,
        required=True,
        metavar="DOCS",
        help="a file with id, text and optionally title; or a folder of text files, whose ids are"
        " their paths within it",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="what is made")
    parser.add_argument("--split", default="test", help="names the judgements (default: test)")
    parser.add_argument("--force", action="store_true", help="replace the dataset in FOLDER")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the folder; print what is in it and what was left out."""
    out = args.out.expanduser().resolve()
    documents = args.documents.expanduser()
    check_target(out, args.split, force=args.force)
    if documents.is_dir() and out.is_relative_to(documents.resolve()):
        raise UsageError(
            f"--out={args.out}: lies within the folder of documents, and would be read as documents"
            " next time; name a folder beside it"
        )
    judgements = args.judgements.expanduser()
    golden = make_golden_set(
        read_judgements(judgements), read_documents(documents, without=[judgements])
    )
    write_folder(golden, out, args.split)
    if args.json:
        report = as_json(golden, str(args.out), args.split)
        print(json.dumps(report, ensure_ascii=False, indent=1))  # noqa: T201
    else:
        print(as_text(golden, str(args.out), args.split))  # noqa: T201
    return 0
