"""One retriever's results on a suite, tested together: what averages are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_beir.baselines.comparability import comparable
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.evaluation.measurement import units_of
from pytest_beir.gate.average import diffuse_shares, fallen
from pytest_beir.gate.strata import by_prefix
from pytest_beir.gate.verdict import judge_members
from pytest_beir.phrasing import joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.gate.strata import Member
    from pytest_beir.gate.verdict import MetricVerdict


@dataclass(frozen=True)
class Obstacle:
    """A reason why there is no average; `on_purpose` if the user left a dataset out."""

    text: str
    on_purpose: bool = False


@dataclass(frozen=True)
class SetTest:
    """A verdict on the weighted mean of datasets.

    `excused` says why a regression does not fail; `fell` of the datasets have a lower mean than
    the one stored.
    """

    result: MetricVerdict
    excused: str | None
    fell: int


@dataclass(frozen=True)
class RetrieverResults:
    """Evaluations by dataset, and what they are compared with.

    `absent` says of each dataset without an evaluation whether it was left out on purpose.
    `baselines` are those before the run.
    """

    evaluations: Mapping[str, Evaluation]
    absent: Mapping[str, bool]
    baselines: Mapping[str, Baseline | None]
    rules: Rules

    def test(
        self, metric: str, names: Sequence[str], *, gated: bool, is_diffuse: bool = False
    ) -> SetTest:
        """The test of one metric over datasets that have no obstacle."""
        evaluations = [self.evaluations[name] for name in names]
        stored = [(each, self.baselines[each.dataset]) for each in evaluations]
        known = [(each, baseline) for each, baseline in stored if baseline is not None]
        now = [_member(each.scores.values[metric], each) for each, _ in known if each.scores]
        current = [_member(baseline.current[metric], each) for each, baseline in known]
        anchor = [_member(baseline.anchor[metric], each) for each, baseline in known]
        units = [units_of(each.same_text) for each, _ in known]

        def judge(current: Sequence[Member], anchor: Sequence[Member]) -> MetricVerdict:
            return judge_members(
                metric,
                now,
                current,
                anchor,
                level=self.rules.family.average_level,
                limits=self.rules.average_limits,
                gated=gated,
                noise=_noise(metric, evaluations),
                units=units,
                shares=diffuse_shares(now, units) if is_diffuse else (),
            )

        judged = judge(current, anchor)
        excused = None
        if judged.verdict == "regressed":
            settled = [_settled(each) for each in evaluations]
            then = judge(
                [x if moved else c for x, c, (moved, _) in zip(now, current, settled, strict=True)],
                [x if moved else a for x, a, (_, moved) in zip(now, anchor, settled, strict=True)],
            )
            excused = None if then.verdict == "regressed" else _excuse(evaluations)
        against = anchor if judged.regressed_against == ("anchor",) else current
        return SetTest(judged, excused, fallen(now, against))

    def obstacles(self, metric: str, names: Sequence[str]) -> Iterator[Obstacle]:
        """What keeps the datasets from having an average, compared with the one stored."""
        for on_purpose in (False, True):
            left = [
                n
                for n in names
                if n not in self.evaluations and self.absent.get(n, False) == on_purpose
            ]
            if left:
                how = "left out" if on_purpose else "did not run"
                were = "" if not on_purpose else "were " if len(left) > 1 else "was "
                yield Obstacle(f"{joined(left)} {were}{how}", on_purpose)
        ran = [self.evaluations[name] for name in names if name in self.evaluations]
        failed = [each.dataset for each in ran if each.verdict == "error"]
        if failed:
            yield Obstacle(f"{joined(failed)} ended in an error")
        lacking = [
            each.dataset
            for each in ran
            if each.verdict != "error" and not _compares(each, self.baselines[each.dataset], metric)
        ]
        if lacking:
            if all(self.evaluations[name].update is not None for name in lacking):
                yield Obstacle(
                    f"{joined(lacking)} had no comparable baseline before this run", on_purpose=True
                )
            else:
                have = "has" if len(lacking) == 1 else "have"
                yield Obstacle(f"{joined(lacking)} {have} no comparable baseline")
        official = load_catalog().entries["msmarco"]
        if any(each.dataset == official.name and each.split != official.split for each in ran):
            yield Obstacle(f"{official.name} is averaged on its {official.split} split only")


def _settled(evaluation: Evaluation) -> tuple[bool, bool]:
    """Whether the dataset's own drop against C, and against A, is accepted or excused."""
    if evaluation.is_excused:
        return True, True
    update = evaluation.update
    return (False, False) if update is None else (update.current, update.anchor)


def _excuse(evaluations: Sequence[Evaluation]) -> str:
    written = [each.dataset for each in evaluations if each.update is not None]
    excused = [each.dataset for each in evaluations if each.is_excused]
    parts = [f"accepted with {joined(written)}"] if written else []
    parts += [f"unjudged documents may explain {joined(excused)}"] if excused else []
    return "; ".join(parts)


def _noise(metric: str, evaluations: Sequence[Evaluation]) -> float:
    """The drop of the average that repeating the run may show; members vary independently."""
    bounds = [noise.bound for each in evaluations for noise in each.noise if noise.metric == metric]
    return math.sqrt(math.fsum(bound**2 for bound in bounds)) / len(evaluations)


def _member(values: Mapping[str, float], evaluation: Evaluation) -> Member:
    """A dataset's scores; those of a divided one by part, since the parts count alike."""
    strata = evaluation.identity.members if evaluation.identity else ()
    return by_prefix(values, strata) if strata else values


def _compares(evaluation: Evaluation, baseline: Baseline | None, metric: str) -> bool:
    if baseline is None or evaluation.identity is None or metric not in baseline.current:
        return False
    known = comparable(baseline, evaluation.identity, evaluation.definitions)
    return known.reason(metric) is None
