"""How a run ended, in pytest's terms: what stopped it, and whether its status may be 0."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_beir.suite.run import Ending

if TYPE_CHECKING:
    import pytest

_MEANING = {
    2: "the run was interrupted",
    3: "pytest had an internal error",
    4: "pytest was used wrongly, or found no suite",
    5: "no test ran",
}
_NAMED = 3
_LISTING = (
    "help",
    "version",
    "markers",
    "showfixtures",
    "show_fixtures_per_test",
    "collectonly",
    "setuponly",
    "setupplan",
)


def runs_tests(config: pytest.Config) -> bool:
    """Whether tests are run at all: not where pytest merely lists them, or their fixtures."""
    option = config.option
    lists = any(getattr(option, name, False) for name in _LISTING)
    return not lists and getattr(option, "cacheshow", None) is None


def stop_reason(error: BaseException) -> str:
    """What ended the loop over the tests, in a few words."""
    name = type(error).__name__
    text = str(getattr(error, "msg", None) or error)
    return f"pytest.exit({text!r})" if name == "Exit" else f"{name}: {text}" if text else name


def exit_code(end: BaseException) -> Any:
    """The status that an exception would end the process with."""
    code = end.code if isinstance(end, SystemExit) else getattr(end, "returncode", None)
    return 0 if code is None and isinstance(end, SystemExit) else code


def final_status(config: pytest.Config, status: Any) -> Any:
    """The exit status of the whole run: never 0 over a failed report or a missing verdict."""
    if hasattr(config, "workerinput"):
        return status
    controller = config.pluginmanager.get_plugin("beir-controller")
    if controller is not None:
        return controller.final_status(status)
    if status == 0 and runs_tests(config):
        sys.stderr.write("BEIR: the run ended before the suite was set up; exit status 1\n")
        return 1
    return status


@dataclass
class Troubles:
    """What went wrong beside the suite: other tests, collection, workers."""

    failed: list[str] = field(default_factory=list)
    not_collected: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)

    def stop(self, error: BaseException) -> None:
        """Note what stopped the run, once."""
        reason = stop_reason(error)
        if reason not in self.stopped:
            self.stopped.append(reason)

    def ending(self, exit_status: int, *, is_red: bool) -> Ending:
        """The end of the run, under the status that pytest gives it."""
        status = int(exit_status)
        if status == 0:
            return Ending("failed" if is_red else "passed", status, tuple(self.stopped))
        reasons = [*self.stopped, *self._tests()]
        if status in _MEANING:
            reasons.insert(0, _MEANING[status])
        return Ending("failed" if is_red or status == 1 else "incomplete", status, tuple(reasons))

    def _tests(self) -> list[str]:
        return [
            f"{', '.join(nodes[:_NAMED])}{' and others' if len(nodes) > _NAMED else ''} {what}"
            for nodes, what in (
                (self.not_collected, "could not be collected"),
                (self.failed, "failed"),
            )
            if nodes
        ]


def counted_failures(config: pytest.Config) -> int:
    """How many failed tests pytest has counted so far."""
    session: Any = config.pluginmanager.get_plugin("session")
    return int(getattr(session, "testsfailed", 0))
