"""Scores from a `beir.json`, so that an own run can stand beside published ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.dataset_names import dataset_name
from pytest_beir.errors import ScoresFileError
from pytest_beir.published.score import Reading, Score, share

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


FORMAT = 1


def read_beir_report(path: Path, content: Any) -> Reading:
    """Every metric's mean of every result; what could not be measured is left aside by name.

    `content` is the parsed file.

    Raises:
        ScoresFileError: it is not such a report, or one of another format.

    """
    if not is_beir_report(content):
        raise ScoresFileError("is not a report: 'results' and 'averages' are missing", file=path)
    if content.get("format") != FORMAT:
        raise ScoresFileError(
            f"format {content.get('format')!r:.50}, where only {FORMAT} is known",
            file=path,
            remedy="read it with the version of pytest-beir that wrote it",
        )
    results = [_result(path, number, each) for number, each in enumerate(content["results"], 1)]
    scores = [score for result in results for score in _scores(path, result)]
    measured = {(score.model, score.dataset) for score in scores}
    aside = [
        f"{result['retriever']} on {result['dataset']}"
        for result in results
        if (result["retriever"], dataset_name(result["dataset"])) not in measured
    ]
    if not scores:
        raise ScoresFileError("holds no score", file=path)
    return Reading(tuple(scores), (f"without a score: {', '.join(aside)}",) if aside else ())


def is_beir_report(content: object) -> bool:
    """Whether a parsed JSON file has the shape of a report."""
    return (
        isinstance(content, dict)
        and isinstance(content.get("results"), list)
        and isinstance(content.get("averages"), list)
    )


def _result(path: Path, number: int, result: object) -> dict[str, Any]:
    """A result that has what is read of it."""
    kinds = {"retriever": str, "dataset": str, "split": str, "metrics": dict}
    if isinstance(result, dict) and all(
        isinstance(result.get(key), kind) for key, kind in kinds.items()
    ):
        return result
    raise ScoresFileError(
        f"result {number} is malformed: it needs {', '.join(kinds)}",
        file=path,
        remedy="write the report anew",
    )


def _scores(path: Path, result: dict[str, Any]) -> Iterator[Score]:
    place = f"{path} ({result['retriever']} on {result['dataset']})"
    for metric, values in result["metrics"].items():
        try:
            value = share(values["now"])
        except (KeyError, TypeError):
            raise ScoresFileError(
                f"{place}: the metric {metric} has no value 'now'", remedy="write the report anew"
            ) from None
        except ValueError as error:
            raise ScoresFileError(f"{place}: {error}") from None
        yield Score(
            model=result["retriever"],
            dataset=dataset_name(result["dataset"]),
            split=result["split"],
            metric=metric,
            value=value,
            place=place,
        )
