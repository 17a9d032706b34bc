"""What an option's value means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_beir.configuration.config import Config
from pytest_beir.configuration.option_values import (
    chosen,
    ci_refusal,
    config_file,
    strict_flags,
    words,
)
from pytest_beir.errors import UsageError
from pytest_beir.flags import MAY_FAIL

if TYPE_CHECKING:
    from pathlib import Path


def test_a_list_may_have_blanks_and_empty_places_and_come_in_parts() -> None:
    assert words(["a, b", " c ,,", "", ",d"]) == ["a", "b", "c", "d"]
    assert words([]) == []


def test_a_choice_is_some_of_what_is_known() -> None:
    known = ("new", "neutral", "dropped")
    assert chosen("--accept", ["new, dropped"], known) == ["new", "dropped"]
    with pytest.raises(UsageError, match=r"^--accept=droped: not one of .*mean 'dropped'"):
        chosen("--accept", ["new,droped"], known)
    with pytest.raises(UsageError, match=r"^--accept= names nothing; write some of new,neutral,"):
        chosen("--accept", [" , "], known)


def strict(given: str | None, config: Config | None = None) -> frozenset[str]:
    return strict_flags("--strict", given, config or Config(), behind="a shard")


def test_flags_are_those_of_the_option_else_of_the_config() -> None:
    config = Config.model_validate({"strict": ["drift"]})
    assert strict(None, config) == {"drift"}
    assert strict("did-not-run, unused-baseline", config) == {"did-not-run", "unused-baseline"}
    default = strict("default")
    assert "did-not-run" in default
    assert default < set(MAY_FAIL)
    assert strict("default,drift") == default | {"drift"}


def test_a_flag_that_nobody_knows_is_refused_and_none_as_well() -> None:
    with pytest.raises(UsageError) as caught:
        strict("drift,did-not-rum")
    assert "unknown flag 'did-not-rum'; did you mean 'did-not-run'?" in str(caught.value)
    assert "a shard after --strict is taken for its value" in str(caught.value)
    with pytest.raises(UsageError, match="names no flag"):
        strict(" ,")


def test_the_config_is_the_one_named_else_the_projects(tmp_path: Path) -> None:
    assert config_file("--config", None, None, tmp_path) is None
    own = tmp_path / "beir.yaml"
    own.write_text("")
    assert config_file("--config", None, None, tmp_path) == own
    other = tmp_path / "other.yaml"
    with pytest.raises(UsageError, match=r"^--config=other\.yaml: .*other\.yaml is not a file"):
        config_file("--config", other, "other.yaml", tmp_path)
    other.write_text("")
    assert config_file("--config", other, "other.yaml", tmp_path) == other


def test_what_an_option_may_be_is_told_in_its_own_order() -> None:
    with pytest.raises(UsageError, match=r": not one of new, neutral, dropped$"):
        chosen("--accept", ["zzz"], ("new", "neutral", "dropped"))
    assert chosen("--accept", ["dropped,new,dropped"], ("new", "dropped")) == [
        "dropped",
        "new",
        "dropped",
    ]
    with pytest.raises(UsageError) as caught:
        strict("zzz")
    text = str(caught.value)
    assert text.startswith("--strict=zzz: unknown flag 'zzz' (flags: default, ")
    assert f"(flags: default, {', '.join(MAY_FAIL)}; a shard" in text


def test_a_folder_is_no_config_and_where_ci_is_set_the_option_for_it_is_named(
    tmp_path: Path,
) -> None:
    with pytest.raises(UsageError, match=r"^--config=\.: .* is not a file"):
        config_file("--config", tmp_path, ".", tmp_path)
    assert "Add --write-in-ci where that is really meant" in str(ci_refusal("--write-in-ci"))
