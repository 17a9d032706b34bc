"""The hooks that a plugin or a conftest may implement."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookspec(firstresult=True)
def pytest_beir_adapt(value: Any) -> Any:
    """Give a retriever of a known form for the value of a `retriever` fixture, or None.

    It is asked before the adapters of this project, for every value; the first answer that is not
    None counts. A package can so bring its own framework:

        def pytest_beir_adapt(value):
            if type(value).__name__ == "MyEngine":
                return lambda query, k: value.find(query, limit=k)
    """
