"""`pytest_beir_adapt`: a plugin or a conftest brings a framework of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

ENGINE = """

class Engine:
    def find(self, text, limit):
        return [("d" + text[-2:], 1.0)][:limit]


def pytest_beir_adapt(value):
    if type(value).__name__ == "Engine":
        return lambda query, k: value.find(query, limit=k)
    return None
"""


def test_a_conftest_adapts_what_nobody_else_knows(project: Project) -> None:
    text = (project.path / "conftest.py").read_text()
    unknown = text.replace("return Canned()", "return Engine()") + ENGINE
    project.conftest(unknown.replace("def pytest_beir_adapt", "def unused"))
    refused = project.run("--beir-update")
    assert "error" in {each for line in refused.outlines for each in line.split()}
    project.conftest(unknown)
    assert project.run("--beir-update", "--beir-report=report").parseoutcomes()
    verdicts = [each["verdict"] for each in project.report()["results"]]
    assert verdicts
    assert "error" not in verdicts
