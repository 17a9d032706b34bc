"""What is read of the scheduler's account of this thread."""

from __future__ import annotations

import sys
from time import sleep, thread_time
from typing import TYPE_CHECKING

import pytest

from pytest_beir.latency import scheduling as account
from pytest_beir.latency.scheduling import Scheduling, scheduling

if TYPE_CHECKING:
    from pathlib import Path

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the account")


@on_linux
def test_who_sleeps_gives_the_processor_up() -> None:
    before = scheduling()
    sleep(0.001)
    assert scheduling().given_up > before.given_up


@on_linux
def test_who_works_gives_nothing_up() -> None:
    before = scheduling()
    end = thread_time() + 0.002
    while thread_time() < end:
        pass
    after = scheduling()
    assert after.given_up == before.given_up
    assert after.queued >= before.queued


@on_linux
def test_the_queue_is_the_second_number_of_the_kernels_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "schedstat"
    written.write_text("7000000000 2500000000 12\n", encoding="ascii")
    with written.open("rb") as file:
        monkeypatch.setattr(account, "_file", lambda _: file.fileno())
        assert scheduling().queued == 2.5


def test_where_the_system_keeps_no_account_nothing_has_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert account._file(0) is None  # no such thread
    monkeypatch.setattr(account, "_file", lambda _: None)
    assert scheduling() == Scheduling(0.0, 0)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert scheduling() == Scheduling(0.0, 0)
