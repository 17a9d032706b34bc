"""Where the collector is held off, it is back afterwards, unless the user has switched it off."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from pytest_beir.garbage import held_off

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.enable()


def test_nothing_is_collected_in_the_block_and_it_is_afterwards() -> None:
    with held_off():
        assert not gc.isenabled()
        with held_off():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_ends_it_too() -> None:
    with pytest.raises(ValueError, match="faulty"), held_off():
        raise ValueError("faulty")
    assert gc.isenabled()


def test_a_collector_that_the_user_switched_off_stays_off() -> None:
    gc.disable()
    with held_off():
        pass
    assert not gc.isenabled()


def test_a_decorated_function_may_be_called_again() -> None:
    is_on = held_off()(gc.isenabled)
    assert (is_on(), gc.isenabled(), is_on(), gc.isenabled()) == (False, True, False, True)
