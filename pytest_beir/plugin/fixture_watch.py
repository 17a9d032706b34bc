"""What fixtures ask for beside their arguments, seen while pytest sets them up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    FixtureDef = pytest.FixtureDef[Any]


class FixtureWatch:
    """Records the names that each fixture gives to `request.getfixturevalue`.

    What is asked during a setup belongs to that setup, and is forgotten with the next one. What is
    asked later, by a function that the fixture has left behind, is kept.
    """

    def __init__(self) -> None:
        self._during: WeakKeyDictionary[FixtureDef, set[str]] = WeakKeyDictionary()
        self._after: WeakKeyDictionary[FixtureDef, set[str]] = WeakKeyDictionary()

    def asked_by(self, definition: FixtureDef) -> list[str]:
        """The names that the fixture, as it is set up now, has asked for."""
        during = self._during.get(definition, set())
        return sorted(during | self._after.get(definition, set()))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: FixtureDef, request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Hook: listen to the request that the fixture function is given."""
        during: set[str] = set()
        after = self._after.setdefault(fixturedef, set())
        self._during[fixturedef] = during
        asked = [during]
        # Cached fixtures pass no hook, so only the request itself knows of every name.
        request.getfixturevalue = _listening(fixturedef, request, asked)  # type: ignore[assignment, method-assign]
        try:
            return (yield)
        finally:
            asked[0] = after


def _listening(
    definition: FixtureDef, request: pytest.FixtureRequest, asked: list[set[str]]
) -> Callable[[str], Any]:
    answer = request.getfixturevalue

    def getfixturevalue(argname: str) -> Any:
        asked[0].add(argname)
        value = answer(argname)
        if definition.scope != "function" and argname not in definition.argnames:
            _tear_down_together(definition, argname, request)
        return value

    return getfixturevalue


def _tear_down_together(
    definition: FixtureDef, argname: str, request: pytest.FixtureRequest
) -> None:
    """Let a fixture end no later than what it asked for.

    Some releases of pytest see to it for arguments only, and would keep a retriever that was made
    for one parameter while the tests of the next one run.
    """
    in_use: dict[str, FixtureDef] = getattr(request, "_fixture_defs", {})
    asked_for = in_use.get(argname)
    if asked_for is not None and asked_for is not definition:
        asked_for.addfinalizer(partial(definition.finish, request=request))  # type: ignore[arg-type]
