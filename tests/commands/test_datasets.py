from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from pytest_beir.commands import datasets
from pytest_beir.datasets.catalog import load_catalog
from pytest_beir.errors import DatasetError


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    datasets.register(parser.add_subparsers())
    args = parser.parse_args(["datasets", *words])
    return int(args.run(args))


def test_json_is_a_list_of_all_entries(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json") == 0
    printed: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    entries = {one["name"]: one for one in printed}
    assert list(entries) == list(load_catalog().entries)
    published = [
        *("name", "split", "documents", "queries", "judgements", "grades", "zip_md5", "licence"),
        *("availability", "drop_identical_ids", "sets", "members", "caveats"),
    ]
    assert all(list(one)[: len(published)] == published for one in printed)
    scifact = entries["scifact"]
    assert (scifact["documents"], scifact["queries"], scifact["grades"]) == (5183, 300, {"1": 339})
    assert scifact["sets"] == ["beir-18", "public-14", "public-13", "mteb-15"]
    assert scifact["members"] == []
    assert len(entries["cqadupstack"]["members"]) == 12
    assert entries["arguana"]["drop_identical_ids"] is True
    assert {one["availability"] for one in printed} == {"download", "restricted", "bundled"}


def test_the_table_names_every_dataset_and_every_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    output = capsys.readouterr().out
    catalog = load_catalog()
    for name in (*catalog.entries, *catalog.sets):
        assert name in output
    assert max(map(len, output.split("beir-18")[0].splitlines())) <= 80


def test_a_named_entry_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("robust04") == 0
    output = capsys.readouterr().out
    assert "documents: 528,036" in output
    assert "obtain: Sign NIST's agreement" in output
    assert "in beir-18: " in output
    assert "note: " in output


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(DatasetError, match="did you mean 'scifact'"):
        run("scifcat")
