"""What tells two retrievers apart: no result is ever filed under another one's name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugin.test_names import folders

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

RANKED = """
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent


class Ranked:
    def __init__(self, home, name=None):
        self.home, self.name = pathlib.Path(home), name

    def index(self, corpus):
        pass

    def search(self, queries, top_k):
        place = "x" if (self.home / "bad").exists() else "d"
        return {query: {place + query[1:3].zfill(2)[:2]: 1.0, "x19": 0.5} for query in queries}


def make(home, name=None):
    @pytest.fixture(scope="session")
    def retriever():
        return Ranked(home, name)

    return retriever
"""
HEADER = "import pathlib\nimport pytest\nfrom ranked import HERE as ROOT, Ranked, make\n"
HERE = "HERE = pathlib.Path(__file__).parent\n"
BY_HOME = "@pytest.fixture\ndef retriever(home):\n    return Ranked(home)\n"
OWN_HOME = "@pytest.fixture\ndef home():\n    return HERE\n"
OWN_TEST = "def test_own(beir_check):\n    beir_check()\n"

CLASHES = {
    "one-helper-for-two-suites": {
        "one/conftest.py": HEADER + HERE + "retriever = make(HERE)\n",
        "two/conftest.py": HEADER + HERE + "retriever = make(HERE)\n",
    },
    "dependency-overridden-in-a-conftest": {
        "conftest.py": HEADER + HERE + BY_HOME + OWN_HOME,
        "two/conftest.py": HEADER + HERE + OWN_HOME,
        "two/test_own.py": OWN_TEST,
    },
    "dependency-overridden-in-a-module": {
        "conftest.py": HEADER + HERE + BY_HOME + OWN_HOME,
        "two/test_own.py": HEADER + HERE + OWN_HOME + OWN_TEST,
    },
    "dependency-overridden-in-a-class": {
        "conftest.py": HEADER + HERE + BY_HOME + OWN_HOME,
        "two/test_own.py": HEADER
        + HERE
        + "class TestTwo:\n    @pytest.fixture\n    def home(self):\n        return HERE\n"
        + "    def test_own(self, beir_check):\n        beir_check()\n",
    },
    "attribute-of-the-module": {
        "conftest.py": HEADER
        + "@pytest.fixture\ndef retriever(request):\n"
        + "    return Ranked(ROOT / getattr(request.module, 'WHERE', 'one'))\n",
        "test_own.py": "WHERE = 'two'\n" + OWN_TEST,
    },
    **{
        f"read-off-the-request-{number}": {
            "conftest.py": HEADER
            + "def mark(request):\n    return request.node.get_closest_marker('where')\n"
            + "@pytest.fixture\ndef retriever(request):\n"
            + f"    where = {source}\n    return Ranked(ROOT / where)\n"
            + "def pytest_configure(config):\n    config.addinivalue_line('markers', 'where')\n",
            "two/test_own.py": "import pytest\n@pytest.mark.where\n" + OWN_TEST,
        }
        for number, source in enumerate(
            (
                "'two' if request.node.get_closest_marker('where') else 'one'",
                "'two' if 'where' in request.keywords else 'one'",
                "'two' if 'own' in request.function.__name__ else 'one'",
                "'two' if 'own' in getattr(request, 'node').name else 'one'",
                "'two' if mark(request) else 'one'",
                "[w for w in ('one', 'two') if w == request.path.parent.name or w == 'one'][-1]",
            )
        )
    },
    "equal-ids": {
        "conftest.py": HEADER
        + "@pytest.fixture(params=['one', 'two'], ids=['m', 'm'])\n"
        + "def retriever(request):\n    return Ranked(ROOT / request.param)\n"
    },
    "equal-ids-of-a-dependency": {
        "conftest.py": HEADER
        + "@pytest.fixture(params=['one', 'two'], ids=lambda value: 'm')\n"
        + "def home(request):\n    return ROOT / request.param\n"
        + BY_HOME
    },
    "one-name-for-two-objects": {
        "conftest.py": HEADER
        + "@pytest.fixture\ndef retriever():\n    pass\n"
        + "def pytest_generate_tests(metafunc):\n"
        + "    both = [Ranked(ROOT / 'one', 'm'), Ranked(ROOT / 'two', 'm')]\n"
        + "    if 'retriever' in metafunc.fixturenames:\n"
        + "        metafunc.parametrize('retriever', both)\n"
    },
}


def written(project: Project, files: dict[str, str]) -> Project:
    (project.path / "conftest.py").unlink()
    project.config("datasets: [{name: alpha, path: data/alpha}]\n")
    for folder in ("one", "two"):
        (project.path / folder).mkdir()
    for name, text in {"ranked.py": RANKED, "conftest.py": "", **files}.items():
        (project.path / name).write_text(text)
    project.pytester.syspathinsert()
    return project


@pytest.mark.parametrize("kind", CLASHES)
def test_two_different_retrievers_under_one_name_are_an_error(project: Project, kind: str) -> None:
    written(project, CLASHES[kind])
    result = project.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*two retrievers are called *"])
    assert set(project.verdicts().values()) == {"error"}
    assert not (project.path / "baselines").exists()
    assert not list((project.path / "report" / "scores").rglob("*.yaml"))


def test_a_clash_whose_halves_ran_in_two_processes_is_an_error_of_both(both: Project) -> None:
    written(both, CLASHES["one-helper-for-two-suites"])
    result = both.run("--beir-update", "--beir-report=report")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED conftest.py::beir-name*retriever*"])
    assert both.verdicts() == {"alpha": "error"}
    assert not (both.path / "baselines").exists()


def test_one_helper_and_two_names_are_two_retrievers(project: Project) -> None:
    written(
        project,
        {
            f"{name}/conftest.py": HEADER + HERE + f"retriever = make(HERE, '{name}')\n"
            for name in ("one", "two")
        },
    )
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"one", "two"}
    before = project.baselines()
    (project.path / "two" / "bad").touch()
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED two/conftest.py::beir?alpha?*"])
    assert "FAILED one/" not in result.stdout.str()
    assert project.baselines() == before


@pytest.mark.parametrize("scope", ["session", "function"])
def test_a_parameter_read_by_getfixturevalue_belongs_to_the_retriever(
    project: Project, scope: str
) -> None:
    fixture = f"@pytest.fixture(scope='{scope}'"
    written(
        project,
        {
            "conftest.py": HEADER
            + f"{fixture}, params=['one', 'two'], autouse=True)\n"
            + "def which(request):\n    return request.param\n"
            + f"{fixture})\ndef ask(request):\n    return request.getfixturevalue\n"
            + f"{fixture})\ndef retriever(ask):\n    return Ranked(ROOT / ask('which'))\n"
        },
    )
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"one", "two"}
    (project.path / "two" / "bad").touch()
    result = project.run()
    assert result.ret == 1
    assert "beir[one-alpha] - Failed" not in result.stdout.str()


def test_what_a_retriever_reads_only_while_it_searches_belongs_to_it(project: Project) -> None:
    written(
        project,
        {
            "conftest.py": HEADER
            + "class Late(Ranked):\n    name = None\n"
            + "    def __init__(self, request):\n        self.request = request\n"
            + "    home = property(lambda self: ROOT / self.request.getfixturevalue('which'))\n"
            + "@pytest.fixture(params=['one', 'two'], autouse=True)\n"
            + "def which(request):\n    return request.param\n"
            + "@pytest.fixture\ndef retriever(request):\n    return Late(request)\n"
        },
    )
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"one", "two"}


def test_a_retriever_that_reads_no_more_than_os_path_is_the_same_in_every_module(
    project: Project,
) -> None:
    written(
        project,
        {
            "conftest.py": HEADER
            + "import os\n@pytest.fixture\ndef retriever(request):\n"
            + "    return Ranked(os.path.join(ROOT, 'one'))\n",
            "two/test_own.py": OWN_TEST,
        },
    )
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"retriever"}


def test_a_parameter_that_the_retriever_does_not_use_makes_no_other_one(project: Project) -> None:
    written(
        project,
        {
            "conftest.py": HEADER
            + "@pytest.fixture(params=['p', 'q'], autouse=True)\ndef noise(request):\n    pass\n"
            + "@pytest.fixture\ndef retriever():\n    return Ranked(ROOT / 'one')\n"
        },
    )
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"retriever"}


def test_a_retriever_named_by_dataset_is_found_again_under_each_name(project: Project) -> None:
    text = "    return Ranked(ROOT, 'm-' + beir_dataset.name)\n"
    written(
        project,
        {"conftest.py": HEADER + "@pytest.fixture\ndef retriever(beir_dataset):\n" + text},
    )
    project.config("datasets: [{name: alpha, path: data/alpha}, {name: beta, path: data/beta}]\n")
    assert project.run("--beir-update").ret == 0
    assert {name for name in project.baselines() if name.endswith(".yaml")} == {
        "m-alpha/alpha.yaml",
        "m-beta/beta.yaml",
    }
    assert project.run().ret == 0


def test_a_name_that_changes_while_a_dataset_is_indexed_is_an_error(project: Project) -> None:
    text = (
        "class Changing(Ranked):\n    def index(self, corpus):\n        self.name = corpus.name\n"
    )
    fixture = "@pytest.fixture\ndef retriever():\n    return Changing(ROOT)\n"
    written(project, {"conftest.py": HEADER + text + fixture})
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*'name' was None and became 'alpha'*"])
    assert not (project.path / "baselines").exists()


def test_what_failed_before_it_existed_never_takes_the_name_of_another(project: Project) -> None:
    boom = "@pytest.fixture\ndef retriever():\n    raise OSError('gone')\n"
    written(
        project,
        {
            "one/conftest.py": HEADER + boom,
            "two/conftest.py": HEADER + HERE + "retriever = make(HERE, 'one')\n",
        },
    )
    assert project.run("--beir-update", "--beir-report=report").ret == 1
    verdicts = {each["retriever"]: each["verdict"] for each in project.report()["results"]}
    assert verdicts == {"one": "no baseline", "one (one/conftest.py:4)": "error"}


def test_a_path_through_a_symbolic_link_is_the_file_it_leads_to(project: Project) -> None:
    suite = "@pytest.fixture\ndef retriever():\n    return Ranked(HERE)\n"
    written(
        project,
        {"conftest.py": HEADER + HERE + suite, "two/conftest.py": HEADER + HERE + suite},
    )
    assert project.run("--beir-update").ret == 0
    link = project.path.with_name(f"{project.path.name}-link")
    link.symlink_to(project.path)
    before = project.baselines()
    (project.path / "two" / "bad").touch()
    result = project.run(f"{link}/two", "--beir-update")
    assert result.ret == 1
    assert project.baselines() == before


def test_any_callable_may_be_the_fixture(project: Project) -> None:
    text = (
        "class Make:\n    __name__ = 'retriever'\n"
        "    def __call__(self):\n        return Ranked(ROOT)\n"
        "retriever = pytest.fixture(Make(), name='retriever')\n"
    )
    written(project, {"conftest.py": HEADER + text})
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"retriever"}


def test_text_of_subclasses_travels_as_text(project: Project) -> None:
    text = (
        "import enum\nimport numpy as np\n"
        "class Model(str, enum.Enum):\n    SMALL = 'small'\n"
        "class Odd(Ranked):\n    name = version = Model.SMALL\n"
        "    trained_on = [np.str_('msmarco')]\n"
        "    def __init__(self):\n        self.home = ROOT\n"
        "    def search(self, queries, top_k):\n"
        "        found = super().search(queries, top_k).items()\n"
        "        return {np.str_(q): {np.str_(d): np.float32(s) for d, s in f.items()}\n"
        "                for q, f in found}\n"
        "@pytest.fixture\ndef retriever():\n    return Odd()\n"
    )
    written(project, {"conftest.py": HEADER + text})
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"small"}
