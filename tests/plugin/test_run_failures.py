"""A verdict that does not pass fails the run, whatever becomes of the report that has it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_beir.plugin.collected_items import Collected
from pytest_beir.plugin.run_failures import run_failures
from pytest_beir.plugin.state import TestVerdict
from tests.plugin.conftest import RETRIEVER

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

EXIT = "pytest.exit('no server', returncode=0)"
EXITS = {
    "fixture": RETRIEVER.replace("    return Canned()", f"    {EXIT}"),
    "search": RETRIEVER.replace("        answer = {}", f"        {EXIT}"),
    "second search": RETRIEVER.replace(
        "        answer = {}",
        f"        answer = {{}}\n        if self.corpus.name == 'beta':\n            {EXIT}",
    ),
    "teardown": RETRIEVER.replace("    return Canned()", f"    yield Canned()\n    {EXIT}"),
}
HOOKS = {
    "report made to pass": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    report.outcome = "passed"
    return report
""",
    "report made to pass, outermost": """
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    report = yield
    report.outcome, report.longrepr = "passed", None
    return report
""",
    "report made to skip": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    if report.failed:
        report.outcome, report.longrepr = "skipped", ("conftest.py", 1, "Skipped: flaky")
    return report
""",
    "report made to xfail": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    report = yield
    if report.failed:
        report.outcome, report.wasxfail = "skipped", "flaky"
    return report
""",
    "call made to skip": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    try:
        return (yield)
    except BaseException as error:
        pytest.skip(f"flaky: {error}")
""",
    "call that swallows": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    try:
        return (yield)
    except BaseException:
        pass
""",
    "another report instead": """
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    yield
    call.excinfo = None
    return pytest.TestReport.from_item_and_call(item, call)
""",
}
LOGGED = """
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    if report.failed and "beir[" in report.nodeid:
        report.outcome = "passed"
"""
STATUS = """
@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    session.exitstatus = 0
"""


@pytest.mark.parametrize("place", EXITS)
def test_pytest_exit_with_status_0_is_not_green(project: Project, place: str) -> None:
    project.store()
    project.drop()
    project.conftest(EXITS[place])
    result = project.run("--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *"])
    assert project.report()["status"] == "failed"


@pytest.mark.parametrize("place", [each for each in EXITS if each != "teardown"])
def test_pytest_exit_before_all_have_a_verdict_is_not_green_though_none_is_worse(
    project: Project, place: str
) -> None:
    project.store()
    project.conftest(EXITS[place])
    result = project.run("--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-cut-off*no server*"])
    assert project.report()["status"] == "failed"


def test_pytest_exit_in_a_worker_is_not_green(spread: Project) -> None:
    """No worker can stop a run from inside a test: the exit is its dataset's error."""
    spread.conftest(EXITS["second search"])
    result = spread.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    assert "INTERNALERROR" not in result.stdout.str()
    assert spread.report()["status"] == "failed"
    assert sorted(spread.baselines()) == ["retriever/alpha.queries.tsv", "retriever/alpha.yaml"]


@pytest.mark.parametrize("hook", HOOKS)
def test_a_regression_whose_report_is_changed_is_a_failed_report(
    project: Project, hook: str
) -> None:
    project.config("datasets: [{name: alpha, path: data/alpha}]\n")
    project.store()
    project.drop()
    project.conftest(RETRIEVER + HOOKS[hook])
    result = project.run("--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-*"])
    assert project.report()["status"] == "failed"
    assert "FAILED" in (project.path / "report" / "beir.md").read_text()


@pytest.mark.parametrize("wrapper", ["", "wrapper=True, "])
def test_a_report_that_is_changed_as_it_is_logged_leaves_the_run_failed(
    project: Project, wrapper: str
) -> None:
    project.store()
    project.drop()
    hook = LOGGED.replace("tryfirst", f"{wrapper}tryfirst")
    project.conftest(RETRIEVER + hook + ("    yield\n" if wrapper else ""))
    assert project.run("--beir-report=report").ret == 1
    assert project.report()["status"] == "failed"


def test_a_report_that_is_changed_in_a_worker_is_missed_as_well(spread: Project) -> None:
    spread.config("datasets: [{name: alpha, path: data/alpha}]\n")
    spread.store()
    spread.drop()
    spread.conftest(RETRIEVER + HOOKS["another report instead"])
    result = spread.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-verdict*20 of 40 queries worse*"])


@pytest.mark.parametrize("hook", [each for each in HOOKS if each != "another report instead"])
def test_a_hook_that_changes_failures_harms_no_run_that_passes(project: Project, hook: str) -> None:
    project.store()
    project.conftest(RETRIEVER + HOOKS[hook])
    assert project.run().ret == 0


def test_a_status_that_a_plugin_sets_to_0_is_set_back(project: Project) -> None:
    project.store()
    project.drop()
    project.conftest(RETRIEVER + STATUS)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    result.stderr.fnmatch_lines(["BEIR: *set exit status 0 over a failed report*it is 1"])
    assert project.report()["exit_status"] == 1


def test_a_status_that_a_plugin_sets_to_0_over_nothing_is_a_usage_error(project: Project) -> None:
    project.conftest(STATUS.replace("@", "import pytest\n@"))
    assert project.run().ret == 4


def test_a_failed_teardown_forbids_the_update(project: Project) -> None:
    project.conftest(
        RETRIEVER
        + "\n@pytest.fixture(autouse=True)\ndef _tidy(request):\n    yield\n"
        + "    assert 'beta' not in request.node.name\n"
    )
    result = project.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    assert {name for name in project.baselines() if name.endswith(".yaml")} == {
        "retriever/alpha.yaml"
    }
    assert project.report()["status"] == "failed"


def test_a_test_that_a_hook_takes_out_is_named(project: Project) -> None:
    project.store()
    project.conftest(
        RETRIEVER
        + "\ndef pytest_collection_modifyitems(items):\n"
        + "    items[:] = [item for item in items if 'beta' not in item.name]\n"
    )
    result = project.run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*did not run*beta*a hook or another plugin took its test out*"])
    assert project.run("--beir-strict=did-not-run").ret == 1


def test_a_hook_that_takes_all_tests_out_is_never_green(project: Project) -> None:
    project.store()
    project.conftest(RETRIEVER + "\ndef pytest_collection_modifyitems(items):\n    items.clear()\n")
    result = project.run()
    assert result.ret == 4
    result.stdout.fnmatch_lines(["*a hook or another plugin removed all 2 of*"])


@pytest.mark.parametrize("text", ["--beir\nother\n", "--beir-update\nother\n"])
def test_a_file_of_arguments_is_typed(project: Project, text: str) -> None:
    project.conftest("")
    project.conftest(RETRIEVER, "suite")
    (project.path / "other").mkdir()
    (project.path / "other" / "test_own.py").write_text("def test_own(): pass\n")
    (project.path / "ci.args").write_text(text)
    assert project.plain("@ci.args").ret == 4


def test_the_average_is_no_test_that_failed_last(project: Project) -> None:
    project.store()
    project.drop()
    result = project.run()
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-average*"])
    remembered = project.path / ".pytest_cache" / "v" / "cache" / "lastfailed"
    assert "beir[alpha]" in remembered.read_text()
    assert "average" not in remembered.read_text()


def test_the_doctests_of_a_conftest_keep_running(project: Project) -> None:
    project.store()
    project.conftest(RETRIEVER + '\ndef own():\n    """\n    >>> 1 + 1\n    3\n    """\n')
    result = project.run("--doctest-modules")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *conftest.own*"])


class Reports:
    """What has been gathered of a run, as far as failures of the whole ask for it."""

    def __init__(self, finished: str = "", failed: str = "", **evaluations: bool) -> None:
        self.finished, self.failed_tests = set(finished.split()), set(failed.split())
        self.evaluations = {
            ("bm25", name): SimpleNamespace(passed=passed, message=f"{name} was judged")
            for name, passed in evaluations.items()
        }
        self.absences: dict[str, Any] = {}
        self.clashes: dict[str, Any] = {}

    def tests_of(self, key: tuple[str, str]) -> set[str]:
        return {key[1]} & self.finished


def told(collected: Collected, reports: Reports) -> dict[str, str]:
    found = run_failures(collected, reports)  # type: ignore[arg-type]
    return {each.key: each.text for each in found}


def collected(*nodes: str, **verdicts: bool) -> Collected:
    return Collected(
        to_run={node: node for node in nodes},
        verdicts={
            name: TestVerdict("bm25", name, passed=passed, message=f"{name} was found")
            for name, passed in verdicts.items()
        },
    )


def test_a_run_of_which_all_tests_reported_has_no_failure_of_its_own() -> None:
    assert told(collected(), Reports()) == {}
    assert told(collected("a", "b"), Reports("a b", a=True, b=True)) == {}
    assert told(collected("a", "b"), Reports("a b", "b", a=True, b=False)) == {}


def test_a_test_that_neither_reported_nor_failed_nor_has_a_verdict_is_unfinished() -> None:
    made = collected("a", "b", "c", "d", d=True)
    assert told(made, Reports("a", "b", a=True)) == {
        "unfinished": "1 test of the suite did not report a result: c"
    }
    many = collected(*"abcdefgh")
    assert told(many, Reports("a", a=True)) == {
        "unfinished": "7 tests of the suite did not report a result: b, c, d, e, f and 2 more"
    }
    six = collected(*"abcdef")
    assert told(six, Reports("a", a=True)) == {
        "unfinished": "5 tests of the suite did not report a result: b, c, d, e, f"
    }


def test_a_run_without_any_verdict_says_why() -> None:
    reports = Reports("a b")
    assert told(collected("a", "b"), reports) == {
        "verdict": "none of 2 tests of the suite reached a verdict"
    }
    for node, reason in (("a", "skipped"), ("b", "crashed"), ("c", "skipped")):
        reports.absences[node] = SimpleNamespace(reason=reason)
    assert told(collected("a", "b"), reports) == {
        "verdict": "none of 2 tests of the suite reached a verdict (crashed; skipped)"
    }


def test_a_verdict_that_does_not_pass_fails_though_no_report_does() -> None:
    changed = "its test was not reported as failed (a hook or another plugin changed the report)"
    made = collected("a", "b")
    assert told(made, Reports("a b", a=True, b=False)) == {
        "verdict[bm25-b]": f"b: b was judged; {changed}"
    }
    # What the test itself found counts where nothing has come of it.
    lost = collected("a", "b", b=False)
    assert told(lost, Reports("a", a=True)) == {"verdict[bm25-b]": f"b: b was found; {changed}"}
    assert told(lost, Reports("a", "b", a=True)) == {}


def test_what_was_lost_or_cut_off_is_named() -> None:
    made = collected("a")
    made.lost_suites = {"two/conftest.py": "skipped", "one/conftest.py": "ImportError"}
    made.cut_off = ["maxfail", "a worker died"]
    found = told(made, Reports("a", a=True))
    assert list(found) == [
        "suite[one/conftest.py]",
        "suite[two/conftest.py]",
        "cut-off[1]",
        "cut-off[2]",
    ]
    assert found["cut-off[2]"] == "the run was cut off: a worker died"
    assert (
        "did not finish, so its suite did not run: ImportError;" in found["suite[one/conftest.py]"]
    )


def test_what_workers_collected_is_put_together() -> None:
    whole = collected("a", a=True)
    whole.cut_off = ["maxfail"]
    other = collected("b", b=False)
    other.cut_off, other.is_complete = ["maxfail", "a worker died"], True
    whole.absorb(other.plain())
    assert whole.to_run == {"a": "a", "b": "b"}
    assert {node: each.passed for node, each in whole.verdicts.items()} == {"a": True, "b": False}
    assert whole.cut_off == ["maxfail", "a worker died"]
    assert whole.is_complete
    whole.absorb(collected("c").plain())
    assert whole.is_complete
    assert Collected().found is False
    assert Collected(deselected={"a": "a"}).found is True
