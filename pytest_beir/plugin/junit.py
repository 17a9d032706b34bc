"""JUnit XML: the details of a failed test, as the terminal shows them, in its failure's text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_beir.text_layout import visible

if TYPE_CHECKING:
    import pytest

_WRITER = "LogXML"  # pytest has no public name for what writes the file
_FAILED = ("failure", "error")


def add_details(config: pytest.Config, report: pytest.TestReport) -> None:
    """Put the details of a failed dataset behind its line; nothing without `--junitxml`.

    pytest writes only captured output there, and that only on demand.
    """
    details = [content for title, content in report.sections if title == "beir"]
    plugins = config.pluginmanager.get_plugins()
    writer: Any = next((each for each in plugins if type(each).__name__ == _WRITER), None)
    if not (report.failed and details and hasattr(writer, "node_reporter")):
        return
    for node in writer.node_reporter(report).nodes:
        if node.tag in _FAILED:
            node.text = "\n\n".join([node.text or "", *map(visible, details)])
