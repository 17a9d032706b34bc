"""The dataset parameter of every test that asks for `beir_dataset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.plugin import state

if TYPE_CHECKING:
    from collections.abc import Iterable

NEEDS_BEIR = "needs --beir"


def parametrize(metafunc: pytest.Metafunc, fixture: str = "beir_dataset") -> None:
    """Give the test one parameter per selected dataset, unless its author already did.

    The parameter has session scope, so that pytest runs all tests of one dataset together and an
    index is built once.
    """
    if _is_parametrized(metafunc):
        return
    options = state.options(metafunc.config)
    names: Iterable[str] = options.selected if options else (NEEDS_BEIR,)
    metafunc.parametrize(
        fixture,
        [
            pytest.param(name, id=name.replace(" ", "-"), marks=_marks(metafunc.config, name))
            for name in names
        ],
        indirect=True,
        scope="session",
    )


def skip_without_beir(items: list[pytest.Item]) -> None:
    """Mark tests that need the suite as skipped, whatever their parameters."""
    for item in items:
        if "beir_dataset" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=NEEDS_BEIR))


def _is_parametrized(metafunc: pytest.Metafunc) -> bool:
    for mark in metafunc.definition.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs.get("argnames", ())
        listed = names.split(",") if isinstance(names, str) else names
        if "beir_dataset" in [name.strip() for name in listed]:
            return True
    return False


def _marks(config: pytest.Config, name: str) -> list[pytest.MarkDecorator]:
    """Marks go on the parameter: added later, they come after xdist has read them."""
    marks = [pytest.mark.beir]
    if config.pluginmanager.has_plugin("xdist"):
        marks.append(pytest.mark.xdist_group(name))
    return marks
