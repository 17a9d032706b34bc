"""The pytest11 entry point: hooks that read, hand over, and do nothing else.

This file is imported by every pytest start on a machine that has the package, so it imports
pytest and light standard library only.
"""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

import pytest

from pytest_beir.plugin import command_line, declared_options, fixtures, state

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Hook: declare the hooks that other plugins and conftests may implement."""
    from pytest_beir.plugin import newhooks

    pluginmanager.add_hookspecs(newhooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Hook: declare the options."""
    declared_options.declare(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Hook: check what was typed, and switch the suite on where it was asked for."""
    config.addinivalue_line("markers", "beir: tests that score a retriever on a BEIR dataset")
    config.pluginmanager.register(fixtures, "beir-fixtures")
    if config.option.help or config.option.version:
        return
    command_line.refuse_misplaced(config)
    if config.option.beir:
        from pytest_beir.plugin import activation

        activation.activate(config, os.environ)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """Hook: a conftest that ends pytest while it is imported must not make the gate green.

    Raises:
        pytest.UsageError: A conftest skipped, failed or left pytest.

    """
    try:
        return (yield)
    except (SystemExit, pytest.exit.Exception, pytest.skip.Exception, pytest.fail.Exception) as end:
        if getattr(early_config.known_args_namespace, "beir", False):
            raise pytest.UsageError(command_line.ended_while_imported(end)) from None
        raise


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Hook: a status of 0 that stands over a failed report or a missing verdict is refused."""
    from pytest_beir.plugin import run_status

    if not config.option.beir:
        return (yield)
    try:
        status = yield
    except (SystemExit, pytest.exit.Exception) as end:  # raised by another plugin as it ended
        if run_status.final_status(config, run_status.exit_code(end)) == run_status.exit_code(end):
            raise
        return pytest.ExitCode.TESTS_FAILED
    return run_status.final_status(config, status)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Hook: after the last test, close the retriever before its own fixture is torn down."""
    if nextitem is None and state.RUNNER in item.config.stash:
        item.config.stash[state.RUNNER].close()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hook: close the retriever where the run was stopped before its last test."""
    if state.RUNNER in session.config.stash:
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # nobody could catch an error here
            session.config.stash[state.RUNNER].close()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Hook: baselines that cannot be read are an error of their datasets, not of collection."""
    resolved = state.options(config)
    if resolved is None or not collection_path.is_relative_to(resolved.baselines):
        return None
    is_readable = os.access(collection_path, os.R_OK | os.X_OK) or not collection_path.is_dir()
    return None if is_readable else True


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Hook: let a conftest be the suite."""
    collectors = yield
    if file_path.name == "conftest.py" and parent.config.option.beir:
        from pytest_beir.plugin import suite_collector

        return suite_collector.with_suite(file_path, parent, collectors)
    return collectors


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hook: one parameter per dataset, after the retriever's own fixtures."""
    if "beir_dataset" in metafunc.fixturenames:
        fixtures.parametrize(metafunc)
    elif "beir_latency_dataset" in metafunc.fixturenames:
        fixtures.parametrize(metafunc, "beir_latency_dataset")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Hook: without `--beir`, tests that need it are skipped, not broken."""
    if not config.option.beir:
        fixtures.skip_without_beir(items)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Hook: let the result travel on the report."""
    report = yield
    resolved = state.options(item.config)
    names = getattr(item, "fixturenames", ())
    if resolved is not None and ("beir_dataset" in names or "beir_retriever" in names):
        from pytest_beir.plugin import report_payload

        report_payload.shorten(item, call, report)
        if "beir_dataset" in names:
            report_payload.attach(item, call, report, resolved)
    return report
