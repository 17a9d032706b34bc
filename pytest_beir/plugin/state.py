"""What the plugin keeps between hooks, in pytest's own stash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_beir.evaluation.result import Evaluation
    from pytest_beir.plugin.options import Options
    from pytest_beir.plugin.runner import Runner

OPTIONS: pytest.StashKey[Options] = pytest.StashKey()
RUNNER: pytest.StashKey[Runner] = pytest.StashKey()
EVALUATION: pytest.StashKey[Evaluation] = pytest.StashKey()
BLOCK: pytest.StashKey[str] = pytest.StashKey()


def options(config: pytest.Config) -> Options | None:
    """The resolved options, or None in a run without `--beir`."""
    return config.stash.get(OPTIONS, None)


def runner(config: pytest.Config) -> Runner:
    """What retrieves and compares in this process; skips where `--beir` was not given."""
    if RUNNER not in config.stash:
        pytest.skip("needs --beir")
    return config.stash[RUNNER]
