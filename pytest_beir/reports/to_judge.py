"""`to-judge/`: the unjudged documents that may explain a drop, in the form of qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.files.file_names import escape
from pytest_beir.reports.text_file import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.evaluation.result import Evaluation

HEADER = "query-id\tcorpus-id\tscore"


def write(folder: Path, evaluation: Evaluation) -> tuple[Path, ...]:
    """Write `<folder>/to-judge/<retriever>/<dataset>.tsv`, the grades left to be filled in.

    Of a divided dataset each part has a file (`<dataset>/<part>.tsv`) with its own query ids.
    Nothing is written where the pool explains nothing, so that there is nothing to judge.
    """
    home = folder / "to-judge" / escape(evaluation.retriever)
    dataset = escape(evaluation.dataset)
    is_divided = evaluation.identity is not None and bool(evaluation.identity.members)
    lines: dict[Path, list[str]] = {}
    for row in evaluation.explanation.to_judge:
        part, _, query = row.query.partition("/") if is_divided else ("", "", row.query)
        path = home / dataset / f"{escape(part)}.tsv" if is_divided else home / f"{dataset}.tsv"
        lines.setdefault(path, [HEADER]).append(f"{query}\t{row.document}\t")
    return tuple(write_text(path, "\n".join(rows) + "\n") for path, rows in lines.items())
