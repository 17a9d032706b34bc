"""An evaluation: a measurement judged against its baseline, and explained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_beir.datasets.zero_shot import doubtful_names
from pytest_beir.evaluation.decision import deciding_metric
from pytest_beir.evaluation.judge import judge, trained_on
from pytest_beir.evaluation.result import Evaluation, failed
from pytest_beir.explanation.explain import explain
from pytest_beir.garbage import held_off

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.datasets.dataset import Dataset
    from pytest_beir.evaluation.measurement import Measurement
    from pytest_beir.evaluation.result import Judged
    from pytest_beir.evaluation.rules import Rules


@held_off
def evaluate(
    measurement: Measurement,
    baseline: Baseline | None,
    rules: Rules,
    dataset: Dataset | None = None,
    *,
    judged: Judged | None = None,
) -> Evaluation:
    """The verdict on a measurement with all that a report says beside it.

    Without `dataset` it is judged the same, and explained as far as the scores can tell. `judged`
    is the verdict on the same three, where it was asked for before.
    """
    identity = measurement.identity
    judged = judged or judge(measurement, baseline, rules)
    if judged.verdict == "error":
        error = failed(measurement.retriever, identity.name, identity.split, judged.reason)
        return replace(error, queries=identity.queries, missing=len(measurement.missing))
    names = trained_on(measurement, rules)
    return Evaluation(
        **vars(judged),
        retriever=measurement.retriever,
        version=measurement.version,
        dataset=identity.name,
        split=identity.split,
        queries=identity.queries,
        missing=len(measurement.missing),
        explanation=explain(
            dataset,
            baseline.scores if baseline is not None else None,
            measurement.scores,
            deciding_metric(judged.metrics),
            pool=judged.pool,
            groups=measurement.groups,
            units=measurement.units,
        ),
        trained_on=None if names is None else tuple(sorted(names)),
        notes=measurement.notes,
        warnings=(
            *measurement.warnings,
            *doubtful_names({*(names or ())} - {*rules.family.datasets}),
        ),
        data_warnings=() if dataset is None else dataset.warnings,
        identity=identity,
        scores=measurement.scores,
        second=measurement.second if judged.confirmed is not None else None,
        definitions=measurement.definitions,
        same_text=measurement.same_text,
        recorded=measurement.recorded,
        libraries=measurement.libraries,
        noise=measurement.noise,
        varying=measurement.varying,
        resumed=measurement.resumed,
        checked_against_corpus=measurement.checked_against_corpus,
        seconds=measurement.seconds,
    )
