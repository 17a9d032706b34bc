"""Which conftest is the suite, and how its tests are named and selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

PARAMETRISED = """
import pytest

class Nothing:
    def index(self, corpus):
        self.ids = list(corpus)

    def search(self, queries, top_k):
        ranking = {document: -rank for rank, document in enumerate(self.ids[:top_k])}
        return {query: ranking for query in queries}

@pytest.fixture(params=["first", "second"])
def retriever(request):
    return Nothing()
"""

SIMPLE = PARAMETRISED.replace('(params=["first", "second"])', "").replace("request", "")


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def test_a_conftest_that_pytest_takes_for_a_test_file_too_is_the_suite_once(
    project: Project,
) -> None:
    with (project.path / "conftest.py").open("a") as file:
        file.write("\n\ndef test_of_a_conftest():\n    pass\n")
    result = project.run("--collect-only", "-q", "-o", "python_files=*.py")
    assert result.ret == 0
    assert ids(result) == ["conftest.py::beir[alpha]", "conftest.py::beir[beta]"]


def test_the_projects_conftest_is_the_suite(project: Project) -> None:
    result = project.run("--collect-only", "-q")
    assert result.ret == 0
    assert ids(result) == ["conftest.py::beir[alpha]", "conftest.py::beir[beta]"]


@pytest.mark.parametrize("folder", ["tests", "tests/retrieval"])
def test_a_conftest_in_a_subfolder_is_the_suite_too(project: Project, folder: str) -> None:
    (project.path / "conftest.py").unlink()
    project.conftest(SIMPLE, folder)
    result = project.run("--collect-only", "-q")
    assert ids(result) == [f"{folder}/conftest.py::beir[{name}]" for name in ("alpha", "beta")]


def test_a_parametrised_retriever_multiplies_the_tests(project: Project) -> None:
    project.conftest(PARAMETRISED)
    result = project.run("--collect-only", "-q")
    assert sorted(ids(result)) == [
        f"conftest.py::beir[{name}]"
        for name in ("first-alpha", "first-beta", "second-alpha", "second-beta")
    ]


def test_two_conftests_are_two_suites(project: Project) -> None:
    project.conftest(SIMPLE, "one")
    project.conftest(SIMPLE, "two")
    (project.path / "conftest.py").unlink()
    result = project.run("--beir-update", "-q")
    assert result.ret == 0
    assert {name.split("/")[0] for name in project.baselines()} == {"one", "two"}


def test_testpaths_do_not_hide_the_projects_conftest(project: Project) -> None:
    (project.path / "tests").mkdir()
    (project.path / "tests" / "test_own.py").write_text("def test_own(): pass\n")
    (project.path / "tox.ini").write_text("[pytest]\ntestpaths = tests\n")
    result = project.run("--collect-only", "-q")
    assert ids(result) == [
        "tests/test_own.py::test_own",
        "conftest.py::beir[alpha]",
        "conftest.py::beir[beta]",
    ]


def test_an_overridden_beir_retriever_is_the_one_that_counts(project: Project) -> None:
    override = SIMPLE.replace("def retriever", "def beir_retriever")
    project.conftest(override, "tests")
    project.conftest(SIMPLE, "tests/unit")
    (project.path / "conftest.py").unlink()
    result = project.run("--collect-only", "-q")
    assert ids(result) == ["tests/conftest.py::beir[alpha]", "tests/conftest.py::beir[beta]"]


def test_a_mock_retriever_below_does_not_replace_the_overridden_one(project: Project) -> None:
    text = (project.path / "conftest.py").read_text().replace("def retriever", "def beir_retriever")
    project.conftest(text)
    unit = project.path / "tests" / "unit"
    project.conftest(
        "import pytest\n\n@pytest.fixture\ndef retriever():\n    return 'a mock'\n", "tests/unit"
    )
    (unit / "test_mock.py").write_text(
        "def test_mock(retriever):\n    assert retriever == 'a mock'\n"
    )
    result = project.run("--beir-update")
    assert result.ret == 0
    result.assert_outcomes(passed=3)


def test_a_renamed_and_an_imported_fixture_are_found(project: Project) -> None:
    (project.path / "shop.py").write_text(
        SIMPLE.replace("@pytest.fixture", "@pytest.fixture(name='retriever')").replace(
            "def retriever", "def make"
        )
    )
    project.conftest("from shop import make\n")
    result = project.run("--collect-only", "-q", PYTHONPATH=str(project.path))
    assert ids(result) == ["conftest.py::beir[alpha]", "conftest.py::beir[beta]"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["conftest.py::beir[beta]"], ["beta"]),
        (["-k", "alpha"], ["alpha"]),
        (["-m", "beir"], ["alpha", "beta"]),
        (["-k", "beir and not alpha"], ["beta"]),
    ],
)
def test_tests_are_selected_as_any_other(
    project: Project, arguments: list[str], expected: list[str]
) -> None:
    project.store()
    result = project.run("--beir-report=report", *arguments)
    assert result.ret == 0
    assert list(project.verdicts()) == expected


def test_x_stops_at_the_first_failure(project: Project) -> None:
    result = project.run("-x", "--beir-report=report")
    assert result.ret == 1
    assert list(project.verdicts()) == ["alpha"]
    result.stdout.fnmatch_lines(["*did not run*beta*"])


def test_lf_runs_what_failed(project: Project) -> None:
    project.before("--beir-update", "-k", "alpha")
    assert project.run().ret == 1
    result = project.run("--lf", "--beir-report=report")
    assert result.ret == 1
    assert list(project.verdicts()) == ["beta"]


def test_the_location_of_a_test_is_the_users_fixture(project: Project) -> None:
    result = project.run("-vv", "--beir-update")
    assert "<-" not in result.stdout.str()
    assert "site-packages" not in result.stdout.str()


def test_from_a_subfolder_the_projects_conftest_is_found(project: Project) -> None:
    project.store()
    below = project.path / "tests"
    below.mkdir()
    project.pytester.chdir()
    result = project.pytester.run(
        "sh", "-c", f"cd {below} && {_pytest()} -p beir --beir --beir-report=../report"
    )
    assert result.ret == 0
    assert project.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}


def test_an_autouse_chdir_changes_nothing(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    project.conftest(
        text
        + "\n@pytest.fixture(autouse=True)\ndef elsewhere(monkeypatch, tmp_path):\n"
        + "    monkeypatch.chdir(tmp_path)\n"
    )
    assert project.run("--beir-update", "--beir-report=first").ret == 0
    assert project.run("--beir-report=report").ret == 0
    assert project.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}


def _pytest() -> str:
    import sys

    return f"{sys.executable} -m pytest"
