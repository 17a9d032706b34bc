"""What `--beir` switches on, once, before collection."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.errors import BeirError
from pytest_beir.plugin import options, state
from pytest_beir.plugin.collected_items import Collected, CollectionWatch
from pytest_beir.plugin.fixture_watch import FixtureWatch
from pytest_beir.plugin.outside_parameters import OutsideParameters
from pytest_beir.plugin.progress import SCREEN, Screen
from pytest_beir.plugin.runner import Runner
from pytest_beir.text_layout import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = "beir_invoked_from"
_WORDS = "beir_invoked_with"


class WorkerBriefing:
    """Tells xdist's workers where the controller was invoked, and how."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Hook of xdist: runs before a worker starts."""
        invocation = _invocation(node.config)
        node.workerinput[_FOLDER] = str(invocation.folder)
        node.workerinput[_WORDS] = list(invocation.words)


def activate(config: pytest.Config, environ: Mapping[str, str]) -> None:
    """Resolve the options and register what retrieves, watches and controls.

    Raises:
        pytest.UsageError: An option or `beir.yaml` cannot be meant (exit status 4).

    """
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    try:
        resolved = options.read(config.option, _invocation(config), environ)
    except BeirError as error:
        raise pytest.UsageError(visible(error.with_code)) from error
    config.stash[state.OPTIONS] = resolved = _at_revision(config, resolved)
    config.stash[SCREEN] = Screen.of(config)
    config.stash[state.RUNNER] = Runner(resolved, config)
    watch = FixtureWatch()
    config.stash[state.FIXTURE_WATCH] = watch
    config.pluginmanager.register(watch, "beir-fixture-watch")
    config.pluginmanager.register(OutsideParameters(), "beir-outside-parameters")
    collected = Collected()
    config.stash[state.VERDICTS] = collected.verdicts
    config.pluginmanager.register(
        CollectionWatch(collected, resolved.project), "beir-collection-watch"
    )
    if worker is None:
        from pytest_beir.plugin.controller import Controller

        config.pluginmanager.register(WorkerBriefing(), "beir-worker-briefing")
        controller = Controller(resolved, collected, config)
        config.pluginmanager.register(controller, "beir-controller")
        _add_loaded_conftests(config)
    if config.option.beir_latency:
        from pytest_beir.plugin import latency

        latency.activate(config, resolved)


def _at_revision(config: pytest.Config, resolved: options.Options) -> options.Options:
    """The options with the baselines of the revision that was asked for, until the run is over."""
    if resolved.baselines_from is None:
        return resolved
    from pytest_beir.stored_results.revisions import exported

    stack = ExitStack()
    config.add_cleanup(stack.close)
    try:
        older = stack.enter_context(exported(resolved.baselines, resolved.baselines_from))
    except BeirError as error:
        raise pytest.UsageError(f"--beir-baselines-from: {error}") from error
    return replace(resolved, baselines=older, own_baselines=resolved.baselines)


def _invocation(config: pytest.Config) -> options.Invocation:
    """How the user called pytest; a worker was told by the controller."""
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is not None:
        return options.Invocation(Path(worker[_FOLDER]), tuple(worker[_WORDS]))
    called = config.invocation_params
    return options.Invocation(called.dir, tuple(str(word) for word in called.args))


def _add_loaded_conftests(config: pytest.Config) -> None:
    """Where the user named no paths, let every conftest that was loaded be the suite.

    With `testpaths`, or in a subfolder, the project's own conftest lies outside what pytest
    collects; workers receive the enlarged arguments.
    """
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        return
    root = config.rootpath.resolve()
    covered = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    for plugin in config.pluginmanager.get_plugins():
        file = getattr(plugin, "__file__", None)
        path = Path(file).resolve() if file else None
        if (
            path is not None
            and path.name == "conftest.py"
            and path.is_relative_to(root)
            and not any(path.is_relative_to(folder) for folder in covered)
        ):
            config.args.append(str(path))
            covered.append(path)
