"""The identity of a suite: what its shards share, and what sets two suites apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.config import Config
from pytest_beir.configuration.declared_dataset import DataSource, DeclaredDataset, suite_id

if TYPE_CHECKING:
    from pathlib import Path

MEMBERS = (
    DeclaredDataset("a", split="test", drop_identical_ids=False, weight=1.0),
    DeclaredDataset("b", split="test", drop_identical_ids=True, weight=2.0),
)


def test_the_suites_identity_does_not_depend_on_order() -> None:
    gate = Config().gate_settings()
    identity = suite_id(MEMBERS, gate)
    assert len(identity) == 12
    assert int(identity, 16) >= 0
    assert suite_id(MEMBERS[::-1], dict(reversed(gate.items()))) == identity


@pytest.mark.parametrize(
    "changed",
    [
        replace(MEMBERS[1], name="c"),
        replace(MEMBERS[1], split="dev"),
        replace(MEMBERS[1], weight=1.0),
        replace(MEMBERS[1], drop_identical_ids=False),
    ],
)
def test_the_suites_identity_changes_with_each_part_of_it(changed: DeclaredDataset) -> None:
    gate = Config().gate_settings()
    assert suite_id((MEMBERS[0], changed), gate) != suite_id(MEMBERS, gate)


def test_the_suites_identity_changes_with_the_gate_and_with_a_member() -> None:
    gate = Config().gate_settings()
    assert suite_id(MEMBERS, {**gate, "metrics": []}) != suite_id(MEMBERS, gate)
    assert suite_id(MEMBERS[:1], gate) != suite_id(MEMBERS, gate)


def test_a_folder_is_at_hand_and_what_is_not_fetched_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    (folder / "qrels").mkdir(parents=True)
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "why"}\n', "utf-8")
    (folder / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n", "utf-8")
    data = DataSource(tmp_path / "cache", offline=False)
    found = data.at_hand(replace(MEMBERS[0], name="tiny", path=folder))
    assert found is not None
    assert found.qrels == {"q": {"d": 1}}
    assert data.at_hand(replace(MEMBERS[0], name="scifact")) is None
