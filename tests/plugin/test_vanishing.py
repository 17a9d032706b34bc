"""Suites that vanish, verdicts that other hooks recolour, and statuses that others set to 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

NEVER_IMPORTED = {
    "skip": "pytest.skip('no index', allow_module_level=True)",
    "importorskip": "pytest.importorskip('a_module_that_is_not_there')",
    "unittest skip": "import unittest\nraise unittest.SkipTest('no index')",
    "exit": "pytest.exit('no index', returncode=0)",
    "xfail": "pytest.xfail('no index')",
    "error": "1 / 0",
}

RECOLOURED = {
    "a report turned into passed": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    report.outcome, report.longrepr = "passed", None
    return report
""",
    "a report turned into skipped": """
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed:
        report.outcome, report.longrepr = "skipped", ("conftest.py", 1, "Skipped: flaky")
""",
    "a report turned into xfailed": """
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        report.outcome, report.wasxfail = "skipped", "known"
    return report
""",
    "a report replaced": """
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    yield
    return pytest.TestReport(item.nodeid, item.location, {}, "passed", None, call.when)
""",
    "a call that skips on a failure": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except BaseException:
        pytest.skip("flaky")
""",
    "a call that xfails on a failure": """
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except BaseException:
        pytest.xfail("flaky")
""",
    "a function whose failure is swallowed": """
@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    try:
        return (yield)
    except BaseException:
        return True
""",
    "a report changed before pytest counts it": """
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    report.outcome = "passed"
""",
    "reports that are never sent": """
def pytest_runtest_protocol(item, nextitem):
    from _pytest.runner import runtestprotocol
    runtestprotocol(item, log=False, nextitem=nextitem)
    return True
""",
}

SET_TO_ZERO = {
    "the end of the session": "def pytest_sessionfinish(session): session.exitstatus = 0",
    "the very end of the session": (
        "@pytest.hookimpl(trylast=True)\ndef pytest_sessionfinish(session): session.exitstatus = 0"
    ),
    "an exit at the end": "def pytest_sessionfinish(): pytest.exit('done', returncode=0)",
    "an exit of the process": "def pytest_unconfigure(): raise SystemExit(0)",
    "the summary": (
        "def pytest_terminal_summary(terminalreporter): terminalreporter._session.exitstatus = 0"
    ),
    "a count that is reset": (
        "@pytest.hookimpl(wrapper=True, tryfirst=True)\n"
        "def pytest_runtestloop(session):\n"
        "    result = yield\n    session.testsfailed = 0\n    return result"
    ),
}

CUT_OFF = (
    "def pytest_configure():",
    "def pytest_sessionstart():",
    "def pytest_collection_modifyitems():",
    "def pytest_runtest_setup():",
    "def pytest_runtest_teardown():",
    "def pytest_runtest_logreport():",
)


def _add(project: Project, text: str) -> None:
    conftest = (project.path / "conftest.py").read_text()
    project.conftest(f"{conftest}\n{text}\n")


def _regress_one(project: Project) -> None:
    """Let one dataset of two regress, so that no average tells of it as well."""
    project.conftest(
        (project.path / "conftest.py")
        .read_text()
        .replace(
            "        answer = {}",
            "        if self.corpus.name == 'alpha':\n            ranks = {}\n        answer = {}",
        )
    )
    project.drop(20)


@pytest.mark.parametrize("how", NEVER_IMPORTED.values(), ids=NEVER_IMPORTED)
def test_a_suite_whose_conftest_is_not_imported_to_its_end_fails_by_name(
    project: Project, how: str
) -> None:
    project.store()
    conftest = (project.path / "conftest.py").read_text()
    project.conftest(f"import pytest\n{how}\n{conftest}", folder="second")
    result = project.run("--continue-on-collection-errors", "--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir-suite?second/conftest.py?*"])
    report = project.report()
    assert report["status"] == "failed"
    assert any("second/conftest.py" in text for text in report["failures"])


def test_a_skipped_conftest_that_names_no_retriever_is_the_users_own_affair(
    project: Project,
) -> None:
    project.store()
    project.conftest(f"import pytest\n{NEVER_IMPORTED['skip']}\n", folder="second")
    assert project.run().ret == 0


@pytest.mark.parametrize("end", ["raise SystemExit(0)", *list(NEVER_IMPORTED.values())])
def test_a_root_conftest_that_ends_pytest_is_a_usage_error(project: Project, end: str) -> None:
    conftest = (project.path / "conftest.py").read_text()
    project.conftest(f"import pytest\n{end}\n{conftest}")
    assert project.run().ret == 4


@pytest.mark.parametrize("hook", RECOLOURED.values(), ids=RECOLOURED)
def test_a_regression_fails_whatever_a_hook_makes_of_its_report(
    project: Project, hook: str
) -> None:
    project.store()
    _regress_one(project)
    _add(project, hook)
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.report()["status"] == "failed"


def test_an_error_in_setup_fails_whatever_a_hook_makes_of_its_report(project: Project) -> None:
    project.store()
    _add(
        project,
        "@pytest.fixture(autouse=True)\n"
        "def _server(request):\n"
        "    if 'beta' in request.node.name:\n        raise OSError('no server')\n"
        + RECOLOURED["a report turned into skipped"],
    )
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "unchanged", "beta": "error"}


@pytest.mark.parametrize("hook", SET_TO_ZERO.values(), ids=SET_TO_ZERO)
def test_no_hook_sets_the_status_of_a_regression_to_0(project: Project, hook: str) -> None:
    project.store()
    project.drop(20)
    _add(project, hook)
    assert project.run("--beir-report=report").ret == 1
    assert project.report()["status"] == "failed"


@pytest.mark.parametrize("hook", CUT_OFF)
def test_an_exit_with_status_0_is_not_green(project: Project, hook: str) -> None:
    project.store()
    _add(project, f"{hook} pytest.exit('enough', returncode=0)")
    assert project.run().ret == 1


@pytest.mark.parametrize("status", [2, 3])
def test_an_exit_with_another_status_keeps_it(project: Project, status: int) -> None:
    project.store()
    _add(project, f"def pytest_runtest_setup(): pytest.exit('enough', returncode={status})")
    assert project.run("--beir-report=report").ret == status
    assert project.report()["status"] == "failed"  # no dataset has a verdict


def test_a_test_that_a_hook_took_out_is_named_and_fails_under_strict(project: Project) -> None:
    project.store()
    _add(
        project,
        "def pytest_collection_modifyitems(items):\n"
        "    items[:] = [item for item in items if 'beta' not in item.name]",
    )
    result = project.run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["did not run*beta*took its test out*"])
    assert project.run("--beir-strict").ret == 1


def test_a_hook_that_takes_every_test_out_is_no_green_gate(project: Project) -> None:
    project.store()
    (project.path / "test_own.py").write_text("def test_own(): pass\n")
    _add(
        project,
        "def pytest_collection_modifyitems(items):\n"
        "    items[:] = [item for item in items if 'beir' not in item.name]",
    )
    result = project.run()
    assert result.ret == 4
    result.stdout.fnmatch_lines(["*a hook or another plugin removed all*"])


def test_a_worker_that_is_lost_after_its_tests_fails_the_run(spread: Project) -> None:
    spread.store()
    _add(
        spread,
        "def pytest_sessionfinish(session):\n"
        "    if hasattr(session.config, 'workerinput'):\n"
        "        import os\n        os._exit(0)",
    )
    assert spread.run().ret == 1


@pytest.mark.parametrize(
    ("text", "arguments", "status"),
    [
        ("def test_other(): assert 0", (), "failed"),
        ("import a_module_that_is_not_there", (), "failed"),
        ("def test_other(): assert 0", ("-x", "own", "conftest.py"), "failed"),
        ("def test_other(): pass", ("-k", "nothing"), "incomplete"),
    ],
)
def test_the_comment_never_says_passed_where_pytest_did_not_pass(
    project: Project, text: str, arguments: tuple[str, ...], status: str
) -> None:
    project.store()
    (project.path / "own").mkdir()
    (project.path / "own" / "test_own.py").write_text(f"{text}\n")
    result = project.run("--beir-report=report", *arguments)
    report = project.report()
    assert (report["status"], report["exit_status"]) == (status, int(result.ret))
    heading = (project.path / "report" / "beir.md").read_text().splitlines()[0]
    assert status.upper() in heading
    assert "passed" not in heading.lower()


def test_a_report_says_that_its_run_goes_on_until_it_has_ended(project: Project) -> None:
    project.store()
    _add(
        project,
        "def pytest_runtest_logfinish(nodeid):\n"
        "    import shutil\n"
        "    if 'alpha' in nodeid:\n"
        "        shutil.copytree(HERE / 'report', HERE / 'midway')",
    )
    assert project.run("--beir-report=report").ret == 0
    assert project.report("midway")["status"] == "running"
    heading = (project.path / "midway" / "beir.md").read_text().splitlines()[0]
    assert "passed" not in heading.lower()
    assert project.report()["status"] == "passed"


def test_doctests_of_a_conftest_keep_running(project: Project) -> None:
    project.store()
    _add(project, 'def sum():\n    """\n    >>> 1 + 1\n    3\n    """')
    result = project.run("--doctest-modules")
    result.assert_outcomes(passed=2, failed=1)


def test_a_baseline_is_not_written_where_the_teardown_fails(project: Project) -> None:
    _add(
        project,
        "@pytest.fixture(autouse=True)\n"
        "def _check(request):\n    yield\n    assert 'beta' not in request.node.name",
    )
    assert project.run("--beir-update").ret == 1
    assert "retriever/alpha.yaml" in project.baselines()
    assert "retriever/beta.yaml" not in project.baselines()


@pytest.mark.parametrize("baselines", ["report/scores", "report/scores/deeper", "report", "."])
def test_a_report_is_never_written_over_the_baselines(project: Project, baselines: str) -> None:
    result = project.run(f"--beir-baselines={baselines}", "--beir-report=report")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["*--beir-report=*where the baselines are*"])


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("report/scores", "baselines"),
        ("report/scores/retriever", "baselines/retriever"),
        ("report", "baselines"),
        ("baselines/other", "report/scores/other"),
    ],
)
def test_a_link_to_the_baselines_is_the_baselines(project: Project, link: str, target: str) -> None:
    project.store()
    path = project.path / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(project.path / target)
    assert project.run("--beir-report=report").ret == 4


def test_words_of_a_file_of_arguments_count_as_typed(project: Project) -> None:
    (project.path / "other").mkdir()
    (project.path / "other" / "test_own.py").write_text("def test_own(): pass\n")
    (project.path / "ci.args").write_text("--beir\nother\n")
    (project.path / "update.args").write_text("--beir-update\nother\n")
    assert project.plain("@ci.args").ret == 4
    assert project.plain("@update.args").ret == 4


def test_reports_on_the_run_as_a_whole_are_no_failed_tests_to_repeat(project: Project) -> None:
    project.store()
    project.drop(20)
    assert project.run().ret == 1
    project.ranks()
    assert project.run().ret == 0
    assert project.run("--lf", "--lfnf=none").ret == 5


@pytest.mark.parametrize("option", ["--fixtures", "--fixtures-per-test", "--markers"])
def test_a_listing_ends_without_a_summary(project: Project, option: str) -> None:
    result = project.run(option)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("BEIR:*")
