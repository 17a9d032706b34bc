"""What `--beir-scheduler` may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_beir.distributed.address import parse
from pytest_beir.errors import UsageError


def test_workers_of_this_machine_are_counted() -> None:
    address = parse("local:3", Path())
    assert (address.local_workers, address.url, address.file, address.shards) == (
        3,
        None,
        None,
        None,
    )


@pytest.mark.parametrize("url", ["tcp://10.0.0.1:8786", "tls://host:8786"])
def test_an_address_of_a_scheduler_is_taken_as_it_is(url: str) -> None:
    address = parse(f"{url},shards=7", Path())
    assert (address.url, address.shards, address.place) == (url, 7, url)


def test_a_scheduler_file_counts_from_the_folder_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "scheduler.json").write_text("{}")
    assert parse("scheduler.json", tmp_path).file == (tmp_path / "scheduler.json").resolve()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("local:0", "how many workers"),
        ("local:two", "how many workers"),
        ("", "is empty"),
        ("nowhere.json", "no file"),
        ("local:2,shards=0", "into how many parts"),
        ("local:2,parts=3", "into how many parts"),
    ],
)
def test_what_is_no_address_says_what_one_is(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        parse(text, tmp_path)
