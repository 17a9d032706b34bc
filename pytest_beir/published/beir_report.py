"""Scores from a `beir.json`, so that an own run can stand beside published ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.datasets.dataset_names import dataset_name
from pytest_beir.errors import ScoresFileError
from pytest_beir.published.score import Reading, Score, share

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_beir_report(path: Path, content: Any) -> Reading:
    """Every metric's mean of every result; what could not be measured is left aside by name.

    `content` is the parsed file. Raises ScoresFileError where it is no such report.
    """
    if not is_beir_report(content):
        raise ScoresFileError(f"{path}: is no report: 'results' and 'averages' are missing")
    scores = [score for result in content["results"] for score in _scores(path, result)]
    measured = {(score.model, score.dataset) for score in scores}
    aside = [
        f"{result['retriever']} on {result['dataset']}"
        for result in content["results"]
        if (result["retriever"], dataset_name(result["dataset"])) not in measured
    ]
    if not scores:
        raise ScoresFileError(f"{path}: holds no score")
    return Reading(tuple(scores), (f"without a score: {', '.join(aside)}",) if aside else ())


def is_beir_report(content: object) -> bool:
    """Whether a parsed JSON file has the shape of a report."""
    return (
        isinstance(content, dict)
        and isinstance(content.get("results"), list)
        and isinstance(content.get("averages"), list)
    )


def _scores(path: Path, result: Any) -> Iterator[Score]:
    try:
        place = f"{path} ({result['retriever']} on {result['dataset']})"
        for metric, values in result["metrics"].items():
            yield Score(
                model=result["retriever"],
                dataset=dataset_name(result["dataset"]),
                split=result["split"],
                metric=metric,
                value=share(values["now"]),
                place=place,
            )
    except KeyError as error:
        raise ScoresFileError(f"{path}: a result lacks {error}; write the report anew") from None
    except (TypeError, AttributeError):
        raise ScoresFileError(f"{path}: a result is malformed: {result!r:.100}") from None
    except ValueError as error:
        raise ScoresFileError(f"{place}: {error}") from None
