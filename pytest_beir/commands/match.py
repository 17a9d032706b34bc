"""`pytest-beir match FOLDER`: which datasets of the catalogue have the shape of mine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.commands import printing, project
from pytest_beir.configuration.config import CONFIG_NAME
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.errors import UsageError
from pytest_beir.inspection.advice import advice
from pytest_beir.inspection.likeness import match_datasets
from pytest_beir.inspection.profile import profile_dataset
from pytest_beir.inspection.wording import about, number, percent, share

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from pytest_beir.inspection.domains import Subject
    from pytest_beir.inspection.likeness import Match
    from pytest_beir.inspection.profile import Profile

_SHOWN = 5
_FAR = 0.3  # datasets of BEIR that people call similar lie within this distance
_LIKENESSES = 4
_SUBJECTS = 3
_DIFFERENCES = 2


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser of `pytest-beir`."""
    parser = subparsers.add_parser(
        "match",
        help="rank the catalogue's datasets by likeness to your own",
        description=(
            "Measure the shape of a dataset's folder (lengths, wording, subject, how far shared"
            " words carry) and rank the catalogue's datasets by likeness, with reasons."
        ),
    )
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        metavar="FOLDER",
        help="a folder in BEIR's form (default: `profile:` of beir.yaml)",
    )
    parser.add_argument("--split", help="default: test, else the only split")
    parser.add_argument(
        "--drop-identical-ids",
        action="store_true",
        help="queries are documents of the corpus too: do not let them find themselves",
    )
    parser.add_argument(
        "--tolerant", action="store_true", help="count judgements that are given twice once"
    )
    project.add_options(parser, baselines=False)
    parser.add_argument("--json", action="store_true", help="print JSON, all datasets")
    parser.add_argument("--cache", metavar="DIR", help="where side files of the corpus live")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the profile, the nearest datasets and advice, or all datasets as JSON."""
    folder = args.folder or _profile_folder(args)
    dataset = load_dataset(
        folder.expanduser().absolute(),
        args.split,
        drop_identical_ids=args.drop_identical_ids or None,
        tolerant=args.tolerant,
        cache_dir=args.cache,
    )
    profile = profile_dataset(dataset)
    matches = match_datasets(profile)
    if args.json:
        print(json.dumps([_as_json(match) for match in matches], ensure_ascii=False, indent=1))  # noqa: T201
    else:
        _print(profile, matches[:_SHOWN], folder)
    return 0


def _profile_folder(args: argparse.Namespace) -> Path:
    found = project.open_project(args)
    if found.config.profile is None:
        file = found.config.file or found.folder / CONFIG_NAME
        raise UsageError(
            f"no FOLDER: name the folder of a dataset, or set `profile: FOLDER` in {file}"
        )
    return found.config.profile


def _as_json(match: Match) -> dict[str, object]:
    return {"name": match.name, "distance": match.distance, "reasons": list(match.reasons)}


def _print(profile: Profile, matches: Sequence[Match], folder: Path) -> None:
    console = printing.console()
    for line in (f"{folder}:", *(f"  {line}" for line in _describe(profile))):
        console.print(line, soft_wrap=True)
    table = printing.table(
        ("nearest", "fixed"), ("distance", "number"), ("why, and why not", "text")
    )
    for match in matches:
        table.add_row(match.name, share(match.distance), _why(match))
    console.print()
    console.print(table)
    if matches[0].distance > _FAR:
        console.print()
        console.print(
            "Nothing in the catalogue is close to this: your own judged queries say more than any"
            " of these datasets.",
        )
    for line in advice(profile):
        console.print()
        console.print(line)


def _describe(profile: Profile) -> Iterator[str]:
    yield (
        f"{profile.documents:,} documents of {number(profile.document_words)} words,"
        f" {profile.queries:,} judged queries of {number(profile.query_words)} words"
    )
    yield f"about {about(profile.domains)}; {percent(profile.asking)} of the queries are questions"
    yield _estimate(profile.subject)
    grades = ", ".join(map(str, profile.grades))
    yield f"{number(profile.relevant)} relevant documents a query on average; grades {grades}"
    yield (
        f"{percent(profile.query_codes)} of the words in queries and"
        f" {percent(profile.document_codes)} in documents are codes or acronyms"
    )
    yield f"{percent(profile.overlap)} of a query's words are in its relevant documents"
    sampled = f" (among {profile.searched:,})" if profile.searched < profile.documents else ""
    yield (
        "BM25 alone finds a relevant document in its top ten for"
        f" {percent(profile.found)} of the queries{sampled}: nDCG@10 {share(profile.bm25)}"
    )


def _estimate(subject: Subject) -> str:
    """Where the subject comes from: a guess from words, which a reader can judge by them."""
    held = (
        f"{subject.in_queries:,} of {subject.queries:,} queries and {subject.in_documents:,} of"
        f" {subject.documents:,} documents hold words of its lists"
    )
    if not subject.shares:
        return f"  too few to tell the subject, which is not compared: {held}"
    shares = sorted(subject.shares.items(), key=lambda one: (-one[1], one[0]))[:_SUBJECTS]
    mix = ", ".join(f"{about({domain: 1.0})} {percent(share)}" for domain, share in shares)
    return f"  estimated from words as {mix}: {held}, most of all {', '.join(subject.words)}"


def _why(match: Match) -> str:
    alike = [trait.sentence for trait in match.alike[:_LIKENESSES]]
    unlike = [trait.sentence for trait in match.unlike[:_DIFFERENCES]]
    return "; ".join(alike) + ("\nbut " + "; ".join(unlike) if unlike else "")
