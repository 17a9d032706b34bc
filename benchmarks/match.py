"""How often `pytest-beir match` names the right datasets, where the right answer is known.

    python benchmarks/match.py [DATA]

1. Each dataset of the catalogue, left out of it: is the nearest of the others of the same task or
   domain, in the words of BEIR's own table?
2. Samples of 50 judged queries of each dataset in DATA (`beir-qrels/<name>` with queries and qrels,
   no corpus), compared by what queries and judgements alone tell: how often is the dataset itself
   the nearest, or among the nearest three? The catalogue's numbers come from all of its queries,
   so this measures how much a sample moves them, not how well they were chosen.
3. Whole folders in DATA (`beir/<name>`) with their corpus.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.datasets.reader import load_dataset
from pytest_beir.inspection.domains import Subject, estimate_subject
from pytest_beir.inspection.likeness import compare_shape, match_datasets
from pytest_beir.inspection.profile import Profile, profile_dataset
from pytest_beir.inspection.shapes import Shape, load_shapes
from pytest_beir.inspection.words import asks, code_share, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
BY_QUERIES = ("subject", "query length", "relevant documents", "questions", "codes", "grades")
QUERIES, SAMPLES = 50, 10


def main(data: Path) -> None:
    shapes = load_shapes()
    print("left out: nearest of the others (distance), same task or domain\n")
    right = 0
    for shape in shapes:
        name, distance, is_right = nearest_other(shape)
        right += is_right
        print(f"| {shape.name} | {name} ({distance:.2f}) | {'yes' if is_right else 'no'} |")
    print(f"\n{right} of {len(shapes)}\n")
    print(f"samples of {QUERIES} queries, {SAMPLES} each: first, among three, taken for\n")
    firsts = thirds = count = 0
    for shape in shapes:
        found = [place(profile, shape) for profile in sampled(data, shape)]
        if not found:
            continue
        first = sum(rank == 1 for rank, _ in found)
        third = sum(rank <= 3 for rank, _ in found)
        firsts, thirds, count = firsts + first, thirds + third, count + len(found)
        wrong = sorted({best for rank, best in found if rank > 1})
        print(f"| {shape.name} | {first} | {third} | {', '.join(wrong)} |")
    print(f"\n{firsts} first and {thirds} among three, of {count}\n")
    for folder in sorted((data / "beir").iterdir()):
        matches = match_datasets(profile_dataset(load_dataset(folder)))[:3]
        print(f"{folder.name}: {', '.join(f'{m.name} {m.distance:.2f}' for m in matches)}")


def nearest_other(shape: Shape) -> tuple[str, float, bool]:
    """The nearest dataset but itself, and whether it has the same task or domain."""
    other = next(match for match in match_datasets(as_profile(shape)) if match.name != shape.name)
    entries = load_catalog().entries
    mine, its = entries[shape.name], entries[other.name]
    return other.name, other.distance, mine.task == its.task or mine.domain == its.domain


def as_profile(shape: Shape) -> Profile:
    """The profile of a folder of just this shape; what the shape lacks is left to be equal."""
    return Profile(
        documents=shape.documents,
        queries=300,
        query_words=shape.query_words or 0.0,
        document_words=shape.document_words or 0.0,
        relevant=shape.relevant or 0.0,
        grades=(0, 1, 2) if shape.is_graded else (0, 1),
        asking=shape.asking,
        query_codes=shape.query_codes,
        document_codes=0.0,
        overlap=shape.overlap or 0.0,
        found=0.5,
        bm25=shape.bm25,
        searched=shape.documents,
        subject=Subject(shape.domains),
    )


def place(profile: Profile, shape: Shape) -> tuple[int, str]:
    """The dataset's own place by what queries tell, and the dataset at the first one."""
    distances = []
    for other in load_shapes():
        traits = [t for t in compare_shape(profile, other).traits if t.name in BY_QUERIES]
        weight = sum(trait.weight for trait in traits)
        distances.append((sum(t.weight * t.distance for t in traits) / weight, other.name))
    order = [name for _, name in sorted(distances)]
    return order.index(shape.name) + 1, order[0]


def sampled(data: Path, shape: Shape) -> Iterator[Profile]:
    """Profiles of samples of a dataset's judged queries; none where it is not at hand."""
    judged: dict[str, dict[str, int]] = {}
    texts: dict[str, str] = {}
    for folder in folders(data / "beir-qrels" / shape.name):
        prefix = folder.name
        texts |= {f"{prefix}/{name}": text for name, text in queries_of(folder).items()}
        for query, grades in qrels_of(folder, shape.name).items():
            judged[f"{prefix}/{query}"] = grades
    rng = random.Random(7)  # noqa: S311  # reproducible, nothing secret
    for _ in range(SAMPLES if judged else 0):
        chosen = rng.sample(sorted(judged), min(QUERIES, len(judged)))
        asked = [texts[query] for query in chosen]
        codes = [share for share in map(code_share, asked) if share is not None]
        grades = {grade for query in chosen for grade in judged[query].values()}
        relevant = [sum(grade > 0 for grade in judged[query].values()) for query in chosen]
        yield Profile(
            documents=1,
            queries=len(chosen),
            query_words=fmean(len(words(text)) for text in asked),
            document_words=0.0,
            relevant=fmean(relevant),
            grades=tuple(sorted(grades)),
            asking=fmean(asks(text) for text in asked),
            query_codes=fmean(codes) if codes else 0.0,
            document_codes=0.0,
            overlap=0.0,
            found=0.0,
            bm25=0.0,
            searched=1,
            subject=estimate_subject(asked, []),
        )


def folders(folder: Path) -> list[Path]:
    """The folder, or its parts (CQADupStack's forums)."""
    if (folder / "queries.jsonl").is_file():
        return [folder]
    return sorted(path for path in folder.glob("*") if (path / "queries.jsonl").is_file())


def queries_of(folder: Path) -> Mapping[str, str]:
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return {str(record["_id"]): record["text"] for record in map(json.loads, lines)}


def qrels_of(folder: Path, name: str) -> Mapping[str, dict[str, int]]:
    split = load_catalog().entries[name].split
    path = folder / "qrels" / f"{split}.tsv"
    judged: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:] if path.is_file() else ():
        query, document, grade = line.split("\t")
        judged.setdefault(query, {})[document] = int(grade)
    return judged


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
