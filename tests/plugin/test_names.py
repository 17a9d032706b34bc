"""What a retriever is called, and so where its baselines are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

CONFTEST = """
import pytest

class Nothing:
    {attribute}
    def index(self, corpus):
        self.ids = sorted(corpus)

    def search(self, queries, top_k):
        ranking = {{document: -rank for rank, document in enumerate(self.ids[:top_k])}}
        return {{query: ranking for query in queries}}

{extra}
@pytest.fixture({arguments})
def retriever({needs}):
    return Nothing()
"""


def conftest(attribute: str = "", extra: str = "", arguments: str = "", needs: str = "") -> str:
    return CONFTEST.format(attribute=attribute, extra=extra, arguments=arguments, needs=needs)


def folders(project: Project) -> set[str]:
    return {name.split("/")[0] for name in project.baselines()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (conftest(), {"retriever"}),
        (conftest(attribute="name = 'my-own'"), {"my-own"}),
        (conftest(arguments="params=['a', 'b']", needs="request"), {"a", "b"}),
        (conftest(arguments="params=[object()], ids=['one']", needs="request"), {"one"}),
        (
            conftest(
                extra="@pytest.fixture(params=[1, 2])\ndef size(request): return request.param\n",
                arguments="params=['a', 'b']",
                needs="request, size",
            ),
            {"1-a", "1-b", "2-a", "2-b"},
        ),
        (
            conftest(
                arguments="params=[pytest.param(object(), id='given')]",
                needs="request",
            ),
            {"given"},
        ),
    ],
    ids=["folder", "attribute", "params", "ids", "two-fixtures", "param-id"],
)
def test_the_name_follows_the_rule(project: Project, text: str, expected: set[str]) -> None:
    project.conftest(text)
    result = project.run("--beir-update")
    assert result.ret == 0, result.stdout.str()
    found = folders(project)
    if expected == {"1-a", "1-b", "2-a", "2-b"}:
        # In the order of the node id, which pytest decides: either is one name per combination.
        assert found in (expected, {"a-1", "a-2", "b-1", "b-2"})
    else:
        assert found == expected


def test_the_name_of_what_a_factory_builds_does_not_count(project: Project) -> None:
    text = conftest(attribute="name = 'product'").replace(
        "return Nothing()", "return lambda corpus: Nothing()"
    )
    project.conftest(text)
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"retriever"}
    assert project.run("--beir-report=report").ret == 0
    assert project.verdicts() == {"alpha": "unchanged", "beta": "unchanged"}


def test_a_tests_own_parameters_do_not_change_the_name(project: Project) -> None:
    project.conftest(conftest())
    (project.path / "test_own.py").write_text(
        "import pytest\n\n@pytest.mark.parametrize('depth', [1, 2])\n"
        "def test_own(beir_check, depth):\n    beir_check()\n"
    )
    assert project.run("--beir-update").ret == 0
    assert folders(project) == {"retriever"}


def test_an_automatic_id_is_an_error_that_asks_for_ids(project: Project) -> None:
    project.conftest(conftest(arguments="params=[object(), object()]", needs="request"))
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*no id of its own*ids=*name*"])
    assert not (project.path / "baselines").exists()


def test_two_retrievers_under_one_name_are_an_error(project: Project) -> None:
    (project.path / "conftest.py").unlink()
    project.conftest(conftest(attribute="name = 'same'"), "one")
    project.conftest(conftest(attribute="name = 'same'"), "two")
    result = project.run("--beir-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*retrievers are called 'same'*"])


def test_a_function_scoped_retriever_is_one_retriever(project: Project) -> None:
    project.conftest(conftest())
    (project.path / "test_own.py").write_text("def test_own(beir_check):\n    beir_check()\n")
    assert project.run("--beir-update").ret == 0
    assert project.run().ret == 0
    assert folders(project) == {"retriever"}


def test_equal_basenames_are_refused_and_named_folders_are_not(project: Project) -> None:
    project.dataset("docs", folder="one")
    project.dataset("docs", folder="two")
    result = project.run("--beir-datasets=one/docs,two/docs")
    assert result.ret == 4
    result = project.run("--beir-datasets=a=one/docs,b=two/docs", "--beir-update")
    assert result.ret == 0
    assert sorted(project.baselines()) == [
        "retriever/a.queries.tsv",
        "retriever/a.yaml",
        "retriever/b.queries.tsv",
        "retriever/b.yaml",
    ]
