"""Why there is no average: what did not run, has failed, or has nothing to be compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.baselines.comparability import comparable
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.phrasing import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.declaration import DeclaredDataset
    from pytest_beir.evaluation.evaluation import Evaluation


@dataclass(frozen=True)
class Obstacle:
    """A reason why there is no average."""

    text: str
    on_purpose: bool = False


def obstacles(
    metric: str,
    suite: Sequence[DeclaredDataset],
    evaluations: Mapping[str, Evaluation],
    absent: Mapping[str, bool],
    baselines: Mapping[str, Baseline | None],
) -> Iterator[Obstacle]:
    """What keeps the suite from having an average, compared with the one stored.

    `absent` says of each dataset without an evaluation whether it was left out on purpose.
    """
    names = [each.name for each in suite]
    for on_purpose in (False, True):
        left = [n for n in names if n not in evaluations and absent.get(n, False) == on_purpose]
        if left:
            how = "left out" if on_purpose else "did not run"
            were = "" if not on_purpose else "were " if len(left) > 1 else "was "
            yield Obstacle(f"{joined(left)} {were}{how}", on_purpose)
    ran = [evaluations[name] for name in names if name in evaluations]
    failed = [each.dataset for each in ran if each.verdict == "error"]
    if failed:
        yield Obstacle(f"{joined(failed)} ended in an error")
    lacking = [
        each.dataset
        for each in ran
        if each.verdict != "error" and not _compares(each, baselines[each.dataset], metric)
    ]
    if lacking:
        if all(evaluations[name].update is not None for name in lacking):
            yield Obstacle(
                f"{joined(lacking)} had no comparable baseline before this run", on_purpose=True
            )
        else:
            have = "has" if len(lacking) == 1 else "have"
            yield Obstacle(f"{joined(lacking)} {have} no comparable baseline")
    official = load_catalog().entries["msmarco"]
    if any(each.dataset == official.name and each.split != official.split for each in ran):
        yield Obstacle(f"{official.name} is averaged on its {official.split} split only")


def _compares(evaluation: Evaluation, baseline: Baseline | None, metric: str) -> bool:
    if baseline is None or evaluation.identity is None or metric not in baseline.current:
        return False
    known = comparable(baseline, evaluation.identity, evaluation.definitions)
    return known.reason(metric) is None
