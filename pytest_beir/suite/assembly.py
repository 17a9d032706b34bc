"""A run put together from the evaluations of its datasets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_beir.configuration.declared_dataset import suite_id
from pytest_beir.evaluation.rules import rules_for
from pytest_beir.published.claims import OwnAverage, judge_claim
from pytest_beir.suite.averages import Average, DiffuseLoss, averages_of, diffuse_losses_of
from pytest_beir.suite.retriever_results import RetrieverResults
from pytest_beir.suite.run import DidNotRun, RetrieverFamily, SuiteRun
from pytest_beir.suite.strict_failures import complaints, unmatched_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.configuration.config import Config
    from pytest_beir.configuration.declared_dataset import DeclaredDataset
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.evaluation.rules import Rules
    from pytest_beir.published.claims import JudgedClaim


def assemble(
    *,
    suite: Sequence[DeclaredDataset],
    selected: Sequence[str],
    config: Config,
    evaluations: Sequence[Evaluation],
    did_not_run: Sequence[DidNotRun],
    stored: Callable[[str, str], Baseline | None],
    unused: Sequence[tuple[str, str]] = (),
    strict: frozenset[str] = frozenset(),
    command: str = "pytest --beir",
    environment: Mapping[str, Any] | None = None,
    known_retrievers: Collection[str] | None = None,
) -> SuiteRun:
    """Everything about a run, in the order of the declared suite, with its averages.

    `stored` gives the baseline of a retriever and a dataset as it was before the run.
    `known_retrievers` are those that have baselines; without them settings that apply to nothing
    are not looked for.
    """
    names = tuple(each.name for each in suite)
    ordered = sorted(evaluations, key=lambda each: (each.retriever, names.index(each.dataset)))
    retrievers = sorted({each.retriever for each in evaluations})
    rules = {name: rules_for(config, name, suite) for name in retrievers}
    averages: list[Average] = []
    diffuse: list[DiffuseLoss] = []
    for name in retrievers:
        own = {each.dataset: each for each in ordered if each.retriever == name}
        results = RetrieverResults(
            evaluations=own,
            absent={
                each.dataset: each.on_purpose for each in did_not_run if each.retriever == name
            },
            baselines={dataset: stored(name, dataset) for dataset in own},
            rules=rules[name],
        )
        averages += averages_of(name, suite, results, config.metrics_for(name))
        diffuse += diffuse_losses_of(name, suite, results)
    run = SuiteRun(
        suite_id=suite_id(suite, config.gate_settings()),
        declared=names,
        selected=tuple(selected),
        retrievers=tuple(_family(name, rules[name], ordered) for name in retrievers),
        evaluations=tuple(ordered),
        did_not_run=tuple(did_not_run),
        averages=tuple(averages),
        diffuse=tuple(diffuse),
        claims=tuple(_claims(config, retrievers, averages)),
        unused_baselines=tuple(unused),
        command=command,
        environment=dict(environment or {}),
        suite=tuple(suite),
        gate_settings=config.gate_settings(),
    )
    return replace(
        run,
        complaints=complaints(run, strict),
        failures=()
        if known_retrievers is None
        else unmatched_settings(run, config, known_retrievers),
    )


def _claims(
    config: Config, retrievers: Sequence[str], averages: Sequence[Average]
) -> Iterator[tuple[str, JudgedClaim]]:
    """Each published average of `beir.yaml` against the own average with its set, if any.

    A suite of one dataset has no average, and a figure that is refused is refused there too.
    """
    for retriever in retrievers:
        own = [
            OwnAverage(average.set, average.now)
            for average in averages
            if average.retriever == retriever and average.set.members
        ]
        for claim in config.average.compare_to:
            judged = [judge_claim(claim, each) for each in own if each.set.metric == claim.metric]
            compared = [each for each in judged if each.status == "compared"]
            yield retriever, (compared or judged or [judge_claim(claim, None)])[0]


def _family(name: str, rules: Rules, evaluations: Sequence[Evaluation]) -> RetrieverFamily:
    own = [each for each in evaluations if each.retriever == name]
    versions = (each.version for each in own if each.version)
    trained_on = (each.trained_on for each in own if each.trained_on is not None)
    return RetrieverFamily(
        name=name,
        version=next(versions, None),
        family=rules.family.tests,
        weights=rules.family.weights,
        alpha=rules.family.alpha,
        trained_on=next(trained_on, None),
    )
