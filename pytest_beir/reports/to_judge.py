"""`to-judge/`: the unjudged documents that may explain a drop, in the form of qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.files.file_names import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.reports.story import Story

HEADER = "query-id\tcorpus-id\tscore"


def files(story: Story) -> Mapping[str, str]:
    """{`to-judge/<retriever>/<dataset>.tsv`: content}, the grades left to be filled in.

    Of a divided dataset each part has a file (`<dataset>/<part>.tsv`) with its own query ids.
    A dataset whose pool explains nothing has none, since there is nothing to judge.
    """
    lines: dict[str, list[str]] = {}
    for evaluation in story.run.evaluations:
        for path, line in _lines(evaluation):
            lines.setdefault(path, [HEADER]).append(line)
    return {path: "\n".join(rows) + "\n" for path, rows in lines.items()}


def _lines(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    home = f"to-judge/{escape(evaluation.retriever)}/{escape(evaluation.dataset)}"
    is_divided = evaluation.identity is not None and bool(evaluation.identity.members)
    for row in evaluation.explanation.to_judge:
        part, _, query = row.query.partition("/") if is_divided else ("", "", row.query)
        path = f"{home}/{escape(part)}.tsv" if is_divided else f"{home}.tsv"
        yield path, f"{query}\t{row.document}\t"
