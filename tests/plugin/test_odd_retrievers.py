"""Retrievers that behave as nobody should: their dataset is an error, in one line, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

TOP = "import pytest\n"
SIMPLE = """
class Simple:
    def index(self, corpus):
        self.ids = list(corpus)

    def search(self, queries, top_k):
        return {query: {"d" + query[1:]: 2.0, "x00": 1.0} for query in queries}

"""
FIXTURE = """
@pytest.fixture(scope="session")
def retriever():
    return {}
"""


def conftest(extra: str, value: str = "Odd()") -> str:
    return TOP + SIMPLE + extra + FIXTURE.format(value)


RAISED = [
    ("raise SystemExit(0)", "the retriever raised SystemExit: 0"),
    ("import asyncio; raise asyncio.CancelledError", "the retriever raised CancelledError"),
    ("raise ValueError('half \\ud800')", "search() raised ValueError: half \\ud800"),
    ("raise ValueError('a\\nb\\x1b[1m')", "search() raised ValueError: a b\\x1b[1m"),
    ("raise ValueError('x' * 9999)", f"search() raised ValueError: {'x' * 600}…"),
]


@pytest.mark.parametrize(("line", "reason"), RAISED, ids=[line for line, _ in RAISED])
def test_whatever_is_raised_is_one_line_of_one_dataset(
    project: Project, line: str, reason: str
) -> None:
    project.store()
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text.replace(
            "        return answer",
            f"        if self.corpus.name == 'beta':\n            {line}\n        return answer",
        )
    )
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert project.verdicts() == {"alpha": "unchanged", "beta": "error"}
    assert project.report()["results"][1]["reason"] == reason
    shown = result.stdout.str()
    assert "pytest_beir/" not in shown.replace("site-packages/pytest_beir/", "pytest_beir/")
    assert shown.count("Traceback") == 1


def test_pytest_exit_in_a_retriever_ends_the_run(project: Project) -> None:
    project.conftest(
        conftest(
            "class Odd(Simple):\n    def search(self, queries, top_k):\n"
            "        pytest.exit('enough', returncode=7)\n"
        )
    )
    result = project.run("--beir-update")
    assert result.ret == 7
    assert "INTERNALERROR" not in result.stdout.str()
    assert not (project.path / "baselines").exists()


ATTRIBUTES = [
    ("name = 7", "the retriever's name is 7 (int): give text, or None"),
    (
        "version = property(lambda self: 1 / 0)",
        (
            "the retriever of type Odd: reading its attribute 'version' raised ZeroDivisionError: "
            "division by zero"
        ),
    ),
    (
        "name = property(lambda self: 1 / 0)",
        (
            "the retriever of type Odd: reading its attribute 'name' raised ZeroDivisionError: "
            "division by zero"
        ),
    ),
]


@pytest.mark.parametrize(("attribute", "reason"), ATTRIBUTES, ids=[a for a, _ in ATTRIBUTES])
def test_an_odd_attribute_is_an_error(project: Project, attribute: str, reason: str) -> None:
    project.conftest(conftest(f"class Odd(Simple):\n    {attribute}\n"))
    result = project.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    assert {each["reason"] for each in project.report()["results"]} == {reason}
    assert not (project.path / "baselines").exists()


@pytest.mark.parametrize("attribute", ["name = 'half \\ud800'", "version = 'half \\ud800'"])
def test_half_a_surrogate_pair_breaks_no_report(project: Project, attribute: str) -> None:
    project.conftest(conftest(f"class Odd(Simple):\n    {attribute}\n"))
    result = project.run("--beir-report=report")
    assert result.ret == 1
    assert len(project.report()["results"]) == 2


def test_a_close_that_raises_is_a_warning(project: Project) -> None:
    project.conftest(
        conftest("class Odd(Simple):\n    def close(self):\n        raise OSError('x')\n")
    )
    result = project.run("--beir-update", "-W", "default")
    assert result.ret == 0
    assert len(project.baselines()) >= 4
    result.stdout.fnmatch_lines(["*after alpha, close() raised OSError: x*"])
    result.stdout.fnmatch_lines(["*after beta, close() raised OSError: x*"])


def test_a_retriever_is_closed_before_its_fixture_is_torn_down(project: Project) -> None:
    project.conftest(
        TOP
        + SIMPLE
        + "import pathlib\nclass Odd(Simple):\n    is_alive = True\n"
        + "    def close(self):\n"
        + "        assert self.is_alive\n"
        + "        pathlib.Path(__file__).with_name('closed').touch()\n"
        + "@pytest.fixture(scope='session')\ndef retriever():\n"
        + "    odd = Odd()\n    yield odd\n    odd.is_alive = False\n"
    )
    result = project.run("--beir-update")
    assert result.ret == 0
    assert (project.path / "closed").exists()
    assert "warning" not in result.stdout.str()


INDIRECT = """
@pytest.fixture
def retriever(request):
    return Simple()

def pytest_generate_tests(metafunc):
    if "retriever" in metafunc.fixturenames:
        metafunc.parametrize("retriever", {values}, indirect=True{ids})
"""


def test_a_retriever_parametrised_from_outside_has_the_names_of_its_parameters(
    project: Project,
) -> None:
    project.conftest(TOP + SIMPLE + INDIRECT.format(values="['small', 'large']", ids=""))
    result = project.run("--beir-update")
    assert result.ret == 0
    assert {name.split("/")[0] for name in project.baselines()} == {"small", "large"}


def test_parameters_from_outside_without_a_name_are_an_error(project: Project) -> None:
    values = "[Simple(), Simple()]"
    project.conftest(TOP + SIMPLE + INDIRECT.format(values=values, ids=", ids=['a', 'b']"))
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*give the retriever a 'name' attribute*"])
    assert not (project.path / "baselines").exists()


def test_retrievers_put_in_the_fixtures_place_go_by_their_own_names(project: Project) -> None:
    project.conftest(
        TOP
        + SIMPLE
        + "class Named(Simple):\n    def __init__(self, name):\n        self.name = name\n"
        + "@pytest.fixture\ndef retriever():\n    return Simple()\n"
        + "def pytest_generate_tests(metafunc):\n"
        + "    if 'retriever' in metafunc.fixturenames:\n"
        + "        both = [Named('one'), Named('two')]\n"
        + "        metafunc.parametrize('retriever', both, ids=['1', '2'])\n"
    )
    result = project.run("--beir-update")
    assert result.ret == 0, result.stdout.str()
    assert {name.split("/")[0] for name in project.baselines()} == {"one", "two"}


def test_a_retriever_that_depends_on_the_dataset_is_one_retriever(project: Project) -> None:
    project.conftest(
        TOP + SIMPLE + "@pytest.fixture\ndef retriever(beir_dataset):\n    return Simple()\n"
    )
    assert project.run("--beir-update").ret == 0
    assert {name.split("/")[0] for name in project.baselines()} == {"retriever"}


def test_an_empty_list_of_parameters_is_not_green(project: Project) -> None:
    project.conftest(
        TOP + SIMPLE + "@pytest.fixture(params=[])\ndef retriever(request):\n    return Simple()\n"
    )
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED *beir-verdict*none of 2 tests*"])


@pytest.mark.skipif(not hasattr(pytest, "HIDDEN_PARAM"), reason="pytest before 8.4 hides no ids")
def test_a_hidden_id_is_no_part_of_the_name(project: Project) -> None:
    project.conftest(
        TOP
        + SIMPLE
        + "@pytest.fixture(params=[pytest.param(1, id=pytest.HIDDEN_PARAM)])\n"
        + "def retriever(request):\n    return Simple()\n"
    )
    assert project.run("--beir-update").ret == 0
    assert {name.split("/")[0] for name in project.baselines()} == {"retriever"}


def test_a_retriever_that_passes_although_expected_to_fail_did_not_run(project: Project) -> None:
    project.conftest(
        TOP
        + SIMPLE
        + "@pytest.fixture(params=['a', pytest.param('b', marks=pytest.mark.xfail)])\n"
        + "def retriever(request):\n    return Simple()\n"
    )
    result = project.run("--beir-update")
    result.stdout.fnmatch_lines(["did not run*passed, and was expected to fail*"])
    assert {name.split("/")[0] for name in project.baselines()} == {"a"}
