"""The workflow that is shipped: valid for GitHub, its shell for bash, its options for us."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_beir import cli

PATH = Path(__file__).resolve().parents[1] / ".github" / "workflows" / "beir.yml"
CONTENT: dict[Any, Any] = yaml.safe_load(PATH.read_text(encoding="utf-8"))
SCRIPTS = [
    step["run"] for job in CONTENT["jobs"].values() for step in job["steps"] if "run" in step
]


def test_it_fits_the_schema_of_github_workflows() -> None:
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema, which has the schema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*command, "vendor.github-workflows", str(PATH)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_its_shell_is_bash_without_anything_of_a_stranger_put_into_it(script: str) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    # What comes from outside are variables, never code.
    assert "${{" not in script
    done = subprocess.run([bash, "-n"], input=script, text=True, check=False)
    assert done.returncode == 0


def test_its_options_exist(pytestconfig: pytest.Config) -> None:
    text = "\n".join(SCRIPTS)
    options = set(re.findall(r"--beir-[a-z-]+", text))
    assert {"--beir-only", "--beir-report", "--beir-baselines-from"} <= options
    for option in options:
        pytestconfig.getoption(option.removeprefix("--").replace("-", "_"))
    for words in (
        ["merge", "one", "--report=report", "--baselines-from=REV"],
        ["accept", "report", "--reason=TEXT", "--only=new,improved,dropped", "--update-on-ci"],
        ["baselines", "diff"],
    ):
        assert f"pytest-beir {words[0]}" in text
        assert cli.parser().parse_args(words)


def test_what_a_fork_sends_gets_no_secret_and_writes_nothing() -> None:
    assert CONTENT["permissions"] == {"contents": "read"}
    assert "secrets." not in PATH.read_text(encoding="utf-8")
    steps = {step.get("name"): step for step in CONTENT["jobs"]["whole"]["steps"]}
    assert "head.repo.full_name == github.repository" in steps["one comment, updated"]["if"]
    for job in ("shard", "whole"):
        [checkout] = [
            step
            for step in CONTENT["jobs"][job]["steps"]
            if step.get("uses", "").startswith("actions/checkout")
        ]
        assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
