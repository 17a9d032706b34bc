"""Which retrievers may search the next datasets ahead."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_beir.plugin import fixture_lookup
from pytest_beir.plugin.on_scheduler import _is_shared


@pytest.mark.parametrize(
    ("scopes", "shared"),
    [
        ([], False),
        (["function"], False),
        (["class"], False),
        (["module"], True),
        (["package"], True),
        (["session"], True),
        (["session", "function"], False),  # the nearest definition is the one in use
        (["function", "session"], True),
    ],
)
def test_only_a_fixture_that_outlives_its_test_is_shared(
    monkeypatch: pytest.MonkeyPatch, scopes: list[str], shared: bool
) -> None:
    seen = [SimpleNamespace(scope=scope) for scope in scopes]
    monkeypatch.setattr(fixture_lookup, "definitions_seen_by", lambda *_: seen)
    node: Any = object()
    assert _is_shared(node) is shared
