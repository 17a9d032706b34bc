"""`pytest-beir import`: a team's own judgements and documents become a dataset's folder."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.errors import UsageError
from pytest_beir.inspection.golden.documents import Documents, Selection, read_documents
from pytest_beir.inspection.golden.fields import FieldNames
from pytest_beir.inspection.golden.golden_set import make_golden_set
from pytest_beir.inspection.golden.judgement import parse_scale
from pytest_beir.inspection.golden.judgements import read_judgements
from pytest_beir.inspection.golden.summary import as_json, as_text
from pytest_beir.inspection.golden.writing import check_target, write_folder

if TYPE_CHECKING:
    from pytest_beir.inspection.golden.judgement import Scale
    from pytest_beir.inspection.golden.judgements import Judgements


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "import",
        help="make a dataset's folder from your own judgements and documents",
        description=(
            "Make a folder in BEIR's form from judgements (CSV, JSON, JSON Lines or YAML, in the"
            " forms of many tools) and documents (JSON Lines, JSON, CSV or a folder of files)."
            " The report names the form that was recognised and every field that was used."
        ),
    )
    parser.add_argument(
        "judgements",
        type=Path,
        metavar="JUDGEMENTS",
        help="queries with the documents that are relevant; docs/your-own-data.md lists the forms",
    )
    parser.add_argument(
        "--documents",
        type=Path,
        metavar="DOCS",
        help="a file with id, text and optionally title; or a folder of files (text, Markdown,"
        " HTML, reStructuredText, notebooks, PDF), whose ids are their paths within it",
    )
    parser.add_argument(
        "--queries", type=Path, metavar="FILE", help="texts of the queries, if JUDGEMENTS has ids"
    )
    for noun, what in _COLUMNS.items():
        parser.add_argument(f"--{noun}-column", metavar="NAME", help=f"the field of {what}")
    parser.add_argument(
        "--scale",
        type=_scale,
        metavar="FROM=TO",
        help="make whole grades of ratings: 0..1=0..3 (halves are rounded up)",
    )
    for option, what in (("--include", "only files of DOCS"), ("--exclude", "no files of DOCS")):
        parser.add_argument(
            option,
            action="append",
            default=[],
            metavar="GLOB",
            help=f"{what} that match (may be repeated)",
        )
    parser.add_argument(
        "--passages",
        type=_words,
        metavar="WORDS",
        help="cut documents that are longer into passages, with ids like guide.md#3",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="what is made")
    parser.add_argument("--split", default="test", help="names the judgements (default: test)")
    parser.add_argument("--force", action="store_true", help="replace the dataset in FOLDER")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the folder; print what is in it and what was left out.

    Raises:
        UsageError: The target is within the folder of documents.

    """
    out = args.out.expanduser().resolve()
    documents = args.documents.expanduser() if args.documents else None
    check_target(out, args.split, force=args.force)
    if documents is not None and documents.is_dir() and out.is_relative_to(documents.resolve()):
        raise UsageError(
            f"--out={args.out}: is within the folder of documents, and would be read as documents"
            " next time; name a folder beside it"
        )
    path = args.judgements.expanduser()
    judgements = read_judgements(
        path,
        FieldNames(
            args.query_column, args.document_column, args.rating_column, args.query_id_column
        ),
        queries=args.queries.expanduser() if args.queries else None,
        scale=args.scale,
    )
    golden = make_golden_set(judgements, _documents(args, judgements), passages=args.passages)
    write_folder(golden, out, args.split)
    if args.json:
        report = as_json(golden, str(args.out), args.split)
        print(json.dumps(report, ensure_ascii=False, indent=1))  # noqa: T201
    else:
        print(as_text(golden, str(args.out), args.split))  # noqa: T201
    return 0


def _documents(args: argparse.Namespace, judgements: Judgements) -> Documents:
    """The documents that were named, else those that the judgements bring along."""
    if args.documents is not None:
        selection = Selection(
            tuple(args.include), tuple(args.exclude), args.id_column, args.text_column
        )
        without = [path.expanduser() for path in (args.judgements, args.queries) if path]
        return read_documents(args.documents.expanduser(), selection, without=without)
    if judgements.documents is None:
        raise UsageError(
            f"--documents: name the documents that {args.judgements} judges; only"
            " LlamaIndex's form brings its own"
        )
    documents = Documents()
    for identifier, (title, text) in judgements.documents.items():
        documents.put(f"{args.judgements}: {identifier!r}", identifier, title, text)
    return documents


def _scale(written: str) -> Scale:
    try:
        return parse_scale(written)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _words(written: str) -> int:
    if not written.isdecimal() or not 1 <= int(written) <= _LONGEST_PASSAGE:
        raise argparse.ArgumentTypeError(f"{written!r} is not a number of words; for example 200")
    return int(written)


_LONGEST_PASSAGE = 100_000
_COLUMNS = {
    "query": "JUDGEMENTS with the query",
    "document": "JUDGEMENTS with the document's id (or ids, or text)",
    "rating": "JUDGEMENTS with the rating",
    "query-id": "JUDGEMENTS with the query's id",
    "id": "DOCS with the id",
    "text": "DOCS with the text",
}
