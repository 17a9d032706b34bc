"""The process that a user watches: gathers results, judges the run as a whole, writes files."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir import provenance
from pytest_beir.baselines import store
from pytest_beir.errors import BeirError
from pytest_beir.plugin import github_actions, junit, nothing_ran, state, verdict_reports
from pytest_beir.plugin.collected_items import WORKER_KEY
from pytest_beir.plugin.finish import RUNNING, Closing, get_ready
from pytest_beir.plugin.live_report import Pace
from pytest_beir.plugin.pytest_terminal import PytestTerminal
from pytest_beir.plugin.results import Gathering
from pytest_beir.plugin.run_status import Troubles, counted_failures, runs_tests, stop_reason
from pytest_beir.reports import terminal
from pytest_beir.reports.tally import tally_style
from pytest_beir.retrieval.user_code import described
from pytest_beir.suite.run import Ending

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from pytest_beir.plugin.collected_items import Collected
    from pytest_beir.plugin.options import Options

_STOPPED = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)


class Controller:
    """Registered where no worker runs, so the same code serves with and without xdist."""

    def __init__(self, options: Options, collected: Collected, config: pytest.Config) -> None:
        self._options = options
        self._collected = collected
        self._config = config
        self._terminal = PytestTerminal(config)
        self._gathering = Gathering(baselines=config.stash.setdefault(state.BASELINES, {}))
        self._pace = Pace()
        self._closing: Closing | None = None
        self._trouble: list[str] = []
        self._words: dict[str, str] = {}
        self._troubles = Troubles()
        self._emitted = 0
        self._is_through = False

    def pytest_report_header(self) -> list[str]:
        """Hook: say which files are in use, so that nobody gates against another folder."""
        options = self._options
        return [
            f"beir: config {options.config.file or 'none'}, baselines {options.baselines_place}",
            f"beir: suite of {len(options.names)}: {', '.join(options.names)}",
        ]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object | None) -> None:
        """Hook of xdist: take in what a worker collected, or that it was lost."""
        plain = getattr(node, "workeroutput", {}).get(WORKER_KEY)
        if plain:
            self._collected.absorb(plain)
        if error and error != "keyboard-interrupt":
            self._collected.cut_off.append(f"worker {node.gateway.id} was lost ({error})")

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Hook: a dataset's own line stands where pytest would write a dot."""
        verbosity = self._terminal.verbosity
        is_judged = getattr(report, "beir", None) is not None and report.when != "teardown"
        if verdict_reports.is_own(report):
            return report.outcome, "", report.outcome.upper()
        if is_judged and "::beir[" in report.nodeid and report.outcome in ("passed", "failed"):
            if verbosity < 0:
                return None
            word = self._words.pop(report.nodeid, "")
            return report.outcome, "", f"{report.outcome.upper()}{word}"
        return None

    def pytest_sessionstart(self) -> None:
        """Hook: let the report say that the run is going on, instead of what an older one said."""
        if self._runs_tests and self._options.report is not None:
            self._guard(self._closing_now().write_report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Hook: what could not be collected is part of how the run ended."""
        if report.failed:
            self._troubles.not_collected.append(report.nodeid or ".")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(
        self, report: pytest.TestReport
    ) -> Generator[None, object, object]:
        """Hook: gather a result, and whether pytest counts it as failed once all have seen it."""
        self._gather(report)
        failures = counted_failures(self._config)
        result = yield
        junit.add_details(self._config, report)
        if counted_failures(self._config) > failures:
            self._gathering.failed_tests.add(report.nodeid)
            is_suite = report.nodeid in self._gathering.finished or "::beir[" in report.nodeid
            if not is_suite and not verdict_reports.is_own(report):
                self._troubles.failed.append(report.nodeid)
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """Hook: judge the run as a whole once every test has reported, or none can any more."""
        get_ready(self._options, self._config)
        try:
            result = yield
        except BaseException as error:
            self._stopped(error)
            raise
        self._is_through = True
        if self._runs_tests:
            self._judge(judged=True)
        return result

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Hook: what stopped the run is part of how it ended."""
        self._troubles.stop(excinfo.value)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hook: write what was asked for; refuse to call an empty run green."""
        if not self._runs_tests:
            return
        closing = self._closed()
        if self._gathering.evaluations or self._is_through:
            self._guard(closing.write_baselines)
        self._trouble += [f"beir: {text}" for text in closing.unreadable]
        suspicious = nothing_ran.is_suspicious(self._config, self._collected)
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and suspicious:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        session.exitstatus = self._acceptable(session.exitstatus)
        self._write_ending(session.exitstatus)
        self._guard(self._report_elsewhere)
        session.exitstatus = self._acceptable(session.exitstatus)

    def final_status(self, status: Any) -> Any:
        """The status of the whole run, after every other plugin has had its say."""
        if not self._runs_tests:
            return status
        acceptable = self._acceptable(status)
        if acceptable != status:
            sys.stderr.write(
                f"BEIR: a hook or another plugin set exit status 0 over a failed report or a "
                f"missing verdict; it is {int(acceptable)}\n"
            )
        if self._closing is None or self._closing.ending.exit_status != acceptable:
            self._write_ending(acceptable)
        return acceptable

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int
    ) -> None:
        """Hook: the summary."""
        has_results, lines = bool(self._gathering.evaluations), []
        if not has_results and exitstatus not in _STOPPED:
            lines = nothing_ran.lines(self._config, self._options, self._collected)
        latencies = self._config.pluginmanager.get_plugin("beir-latency")
        has_times = latencies is not None and bool(latencies.results)
        may_tell = self._collected.found, self._collected.lost_suites, has_results, has_times
        if self._runs_tests and any(may_tell):
            lines += terminal.summary(
                self._closing_now().story(),
                verbose=self._terminal.verbosity > 0,
                ascii=self._terminal.ascii,
                width=self._terminal.width,
                report=self._options.report,
            )
        self._terminal.show_section(lines)
        for trouble in self._trouble:
            terminalreporter.write_line(trouble, red=True)
        if lines and github_actions.is_here():
            told, keys = self._closing_now().story(), self._gathering.names.keys
            for command in github_actions.workflow_commands(told, keys, self._options.project):
                terminalreporter.write_line(command)

    @property
    def _runs_tests(self) -> bool:
        return runs_tests(self._config)

    def _gather(self, report: pytest.TestReport) -> None:
        """Take in a result, show its line, and keep the report up to date."""
        if (found := self._gathering.add(report)) is None:
            return
        self._terminal.spell(report)
        verbosity = self._terminal.verbosity
        if verbosity > 0:  # pytest has a line for every test then: ours would break it in two
            self._words[report.nodeid] = terminal.status_words(found, ascii=self._terminal.ascii)
        elif verbosity == 0:
            several = len({name for name, _ in self._gathering.evaluations}) > 1
            width, ascii_only = self._terminal.progress_width, self._terminal.ascii
            self._terminal.show_progress(
                terminal.progress_line(found, show_retriever=several, ascii=ascii_only, width=width)
            )
        if self._options.report is not None:
            self._pace.take(lambda: self._guard(self._closing_now().write_report))

    def _stopped(self, error: BaseException) -> None:
        """Judge a run that was cut off; where its status would be 0, only a report can say so."""
        is_green_exit = isinstance(error, pytest.exit.Exception) and error.returncode == 0
        may_have_run = nothing_ran.may_have_run(self._config, self._collected)
        if is_green_exit and self._runs_tests and may_have_run:
            self._collected.cut_off.append(stop_reason(error))
            self._judge(judged=False)

    def _judge(self, *, judged: bool) -> None:
        with self._terminal.without_progress():
            run, encoding = self._closed().run, self._terminal.encoding
            self._emitted += verdict_reports.emit(
                run, self._config, judged=judged, encoding=encoding
            )

    def _report_elsewhere(self) -> None:
        """Tell what lies outside of the folder: GitHub's summary page, and the user's hooks."""
        if self._closing is not None:
            told = self._closing.story()
            if github_actions.is_here():
                github_actions.write_summary(told)
            folder = self._options.report
            try:
                self._config.hook.pytest_beir_report(story=told, folder=folder)
            except Exception as error:  # the user's own code
                text = f"pytest_beir_report raised {described(error)}"
                raise BeirError(text) from error

    def _acceptable(self, status: Any) -> Any:
        """`status`, or what stands in for a 0 that nothing justifies."""
        if status != pytest.ExitCode.OK:
            return status
        if nothing_ran.is_suspicious(self._config, self._collected) and self._is_through:
            return pytest.ExitCode.USAGE_ERROR
        gathering = self._gathering
        is_red = (
            self._emitted
            or self._trouble
            or gathering.failed_tests & (gathering.finished | set(self._collected.to_run))
            or (not self._is_through and nothing_ran.may_have_run(self._config, self._collected))
        )
        return pytest.ExitCode.TESTS_FAILED if is_red else status

    def _write_ending(self, status: int) -> None:
        closing = self._closed()
        is_red = tally_style(replace(closing.finished_run, ending=None)) == "red"
        closing.ending = self._troubles.ending(status, is_red=is_red)
        if self._options.report is not None:
            self._guard(closing.write_report)

    def _closing_now(self) -> Closing:
        """What follows from the results so far, or in the end."""
        return self._closing or self._closing_with(RUNNING)

    def _closed(self) -> Closing:
        """What follows from all results, once no more can come."""
        if self._closing is None:
            self._closing = self._closing_with(Ending("incomplete"))
        return self._closing

    def _closing_with(self, ending: Ending) -> Closing:
        return Closing(
            self._options,
            self._collected,
            self._gathering,
            self._where,
            is_first=self._is_first,
            ending=ending,
            latencies=self._config.pluginmanager.get_plugin("beir-latency"),
        )

    @cached_property
    def _is_first(self) -> bool:
        """Whether the project has no baseline yet; asked before any is written."""
        try:
            return not store.stored(self._options.baselines)
        except BeirError:  # said where they are read
            return False

    @property
    def _where(self) -> Mapping[str, Any]:
        """What runs, and on which scheduler."""
        return {**self._environment, **state.runner(self._config).environment}

    @cached_property
    def _environment(self) -> Mapping[str, str]:
        """What runs, asked once: a baseline that is written would make the next commit `…+`."""
        return provenance.environment(self._options.project)

    def _guard(self, action: Any) -> None:
        """Files that cannot be written are named in the summary, and fail the run."""
        try:
            action()
        except (BeirError, OSError) as error:
            texts = [f"beir: {line}" for line in str(error).splitlines()]
            self._trouble += [text for text in texts if text not in self._trouble]
