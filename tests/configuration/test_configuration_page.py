"""The page on `beir.yaml` says what the models say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from pydantic_core import PydanticUndefined

from pytest_beir.configuration.config import load_config
from pytest_beir.configuration.declaration import resolve
from pytest_beir.configuration.settings import (
    AverageSettings,
    DatasetEntry,
    Gate,
    Groups,
    LatencySettings,
    PublishedAverage,
    ReportSettings,
    RetrieverSettings,
    Section,
    Settings,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE = Path(__file__).resolve().parents[2] / "docs/configuration.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
TABLES = [
    dict(re.findall(r"^\| `(\w+)` \| (.*?) \| .+ \|$", table, re.MULTILINE))
    for table in re.findall(r"\| key \| default \| meaning \|\n((?:\|.*\n)+)", TEXT)
]
SECTIONS = (
    Settings,
    DatasetEntry,
    Gate,
    RetrieverSettings,
    AverageSettings,
    PublishedAverage,
    ReportSettings,
    LatencySettings,
    Groups,
)


@pytest.mark.parametrize("block", BLOCKS)
def test_every_example_is_valid(block: str, tmp_path: Path) -> None:
    (tmp_path / "beir.yaml").write_text(block, encoding="utf-8")
    config = load_config(tmp_path / "beir.yaml")
    assert config.model_fields_set == set(yaml.safe_load(block))
    for words in (None, *([suite] for suite in config.suites)):
        assert resolve(words, config, base=tmp_path)


@pytest.mark.parametrize(("section", "table"), list(zip(SECTIONS, TABLES, strict=True)))
def test_every_key_stands_in_its_table_with_its_default(
    section: type[Section], table: Mapping[str, str]
) -> None:
    assert list(table) == list(section.model_fields)
    for name, field in section.model_fields.items():
        shown = table[name]
        if shown == "required":
            assert field.default is PydanticUndefined
        elif shown.startswith("`"):
            written = yaml.safe_load(shown.strip("`"))
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            assert written == default
        elif not isinstance(field.default, Section):
            assert field.default in (None, {})
