"""What the power of a suite is taken from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.baselines import store
from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.errors import UsageError
from pytest_beir.gate.power import suggested_floor
from pytest_beir.suite.power import _floor, _Known, _vectors, powers

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Lab


def test_the_vectors_of_a_metric_are_those_of_a_baseline_that_has_it(lab: Lab) -> None:
    stored = lab.baseline(lab.measurement(lab.late(3)), lab.measurement())
    assert _vectors(None, "nDCG@10") is None
    assert _vectors(stored, "P@5") is None
    assert _vectors(stored, "nDCG@10") == (stored.current["nDCG@10"], stored.anchor["nDCG@10"])


@pytest.mark.parametrize(
    ("sizes", "suggested"), [((60,), True), ((30, 30), True), ((99,), True), ((100,), False)]
)
def test_a_floor_is_suggested_for_what_is_too_small_to_exclude_a_drop(
    sizes: tuple[int, ...], suggested: bool
) -> None:
    members = [_Known(sizes, None, None, None)]
    assert _floor(0.7, members) == (suggested_floor(0.7, sum(sizes)) if suggested else None)
    assert _floor(None, members) is None
    assert _floor(0.7, []) is None


def test_a_retriever_that_nobody_knows_is_refused_with_those_that_there_are_in_order(
    lab: Lab, tmp_path: Path
) -> None:
    store.save(tmp_path, lab.baseline(lab.measurement(name="scifact", retriever="two")))
    config = Config.model_validate({"retrievers": {"three": {}, "one": {}, "four": {}}})
    with pytest.raises(UsageError, match=r"\(there are four, one, three, two\)$"):
        powers(config, [catalogued("scifact")], tmp_path, "zzzzzz")


def catalogued(name: str) -> DeclaredDataset:
    return DeclaredDataset(name, split="test")


def test_a_stored_drift_halves_the_level_and_a_baseline_caps_the_limits(
    lab: Lab, tmp_path: Path
) -> None:
    """Two baselines stand for 40 queries each; the mean of .1 caps the limits in one of them."""
    found = lab.late(36, rank=0)  # four of forty find their document first
    same = lab.measurement(found, name="scifact")
    store.save(tmp_path, lab.baseline(same))
    store.save(
        tmp_path,
        lab.baseline(lab.measurement(name="nfcorpus"), lab.measurement(lab.late(3), "nfcorpus")),
    )
    declared = [catalogued("scifact"), catalogued("nfcorpus"), catalogued("arguana")]
    (suite,) = powers(Config(), declared, tmp_path)
    assert (suite.retriever, suite.alpha) == ("bm25", 0.05)
    capped, drifted, unstored, average = suite.tests
    assert [test.dataset for test in suite.tests] == ["scifact", "nfcorpus", "arguana", "average"]
    assert [test.source for test in suite.tests] == ["baseline", "baseline", "catalogue", "members"]
    # Three datasets and their average share the level; both vectors are tested where they differ.
    assert capped.alpha == unstored.alpha == average.alpha == pytest.approx(0.05 / 4)
    assert drifted.alpha == pytest.approx(0.05 / 8)
    assert [test.capped for test in suite.tests] == [True, True, False, False]
    assert capped.margin < drifted.margin == unstored.margin == 0.02
    assert capped.floor is not None
    assert drifted.floor is not None
    assert (unstored.floor, average.floor) == (None, None)
    (unknown,) = powers(Config(), declared[:1], tmp_path / "none")
    assert (unknown.retriever, [test.dataset for test in unknown.tests]) == (None, ["scifact"])


def test_a_split_that_nobody_counted_is_unknown_and_one_of_a_baseline_is_its_own(
    lab: Lab, tmp_path: Path
) -> None:
    store.save(tmp_path, lab.baseline(lab.measurement(name="scifact")))
    (suite,) = powers(Config(), [DeclaredDataset("scifact", split="dev")], tmp_path)
    (test,) = suite.tests
    assert (test.power, test.source, test.capped) == (None, None, False)
    assert test.unknown == "scifact: the catalogue does not count split 'dev'"
    (suite,) = powers(Config(), [DeclaredDataset("scifact")], tmp_path)
    assert suite.tests[0].source == "baseline"
