"""Where the collector is held off, it is back afterwards, unless the user has switched it off."""

from __future__ import annotations

import gc
import traceback
from typing import TYPE_CHECKING

import pytest

from pytest_beir import garbage
from pytest_beir.garbage import held_off

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.enable()


@held_off
def collects() -> bool:
    return gc.isenabled()


@held_off
def collects_after_another_call() -> bool:
    collects()
    return gc.isenabled()


@held_off
def fail() -> None:
    raise ValueError("faulty")


def test_nothing_is_collected_in_the_call_and_it_is_afterwards() -> None:
    for _ in range(2):
        assert not collects()
        assert gc.isenabled()


def test_a_call_within_a_call_does_not_end_it() -> None:
    assert not collects_after_another_call()
    assert gc.isenabled()


def test_an_error_ends_it_too() -> None:
    with pytest.raises(ValueError, match="faulty"):
        fail()
    assert gc.isenabled()


def test_between_a_users_line_and_the_error_there_are_frames_of_this_project_alone() -> None:
    with pytest.raises(ValueError, match="faulty") as caught:
        fail()
    files = [frame.filename for frame in traceback.extract_tb(caught.tb)]
    assert files == [__file__, garbage.__file__, __file__]


def test_a_collector_that_the_user_switched_off_stays_off() -> None:
    gc.disable()
    collects()
    assert not gc.isenabled()
