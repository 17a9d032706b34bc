"""`to-judge/`: the unjudged documents that may explain a drop, in the form of qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.baselines.file_names import escape
from pytest_beir.reports.text_file import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_beir.evaluation.evaluation import Evaluation

HEADER = "query-id\tcorpus-id\tscore"


def write(folder: Path, evaluation: Evaluation) -> Path | None:
    """Write `<folder>/to-judge/<retriever>/<dataset>.tsv`, the grades left to be filled in.

    None where the pool explains nothing, so that there is nothing to judge.
    """
    rows = evaluation.findings.to_judge
    if not rows:
        return None
    lines = [HEADER, *(f"{row.query}\t{row.document}\t" for row in rows)]
    home = folder / "to-judge" / escape(evaluation.retriever)
    return write_text(home / f"{escape(evaluation.dataset)}.tsv", "\n".join(lines) + "\n")
