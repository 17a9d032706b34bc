"""The page on retrievers: its code is run as a reader would run it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.plugin.conftest import Project

PAGE = Path(__file__).resolve().parents[2] / "docs" / "retrievers.md"
FIXTURE = "\n\nimport pytest\n\n@pytest.fixture\ndef retriever():\n    return TitleSearch()\n"


def test_its_retriever_and_its_tests_run_on_a_bundled_collection(bare: Project) -> None:
    first, *_, last = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    bare.conftest(first + FIXTURE)
    (bare.path / "test_own.py").write_text(last)
    arguments = ("--beir-datasets=cycling-forum", "--beir-report=report")
    assert bare.run(*arguments, "--beir-update", "conftest.py").ret == 0
    result = bare.run(*arguments)
    result.assert_outcomes(passed=3)
    assert bare.verdicts() == {"cycling-forum": "unchanged"}
