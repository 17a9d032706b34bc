"""What was typed on the command line, as against what came from `addopts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def is_typed(config: pytest.Config, option: str = "--beir") -> bool:
    """Whether the option itself stood on the command line, in either spelling."""
    return any(word == option or word.startswith(f"{option}=") for word in _words(config))


def names_node(config: pytest.Config) -> bool:
    """Whether a node id was named (`conftest.py::beir[scifact]`)."""
    return any("::" in argument for argument in config.args)


def names_paths(config: pytest.Config) -> bool:
    """Whether the user named what to collect."""
    return config.args_source is pytest.Config.ArgsSource.ARGS


def refuse_misplaced(config: pytest.Config) -> None:
    """Raise UsageError for ini keys that look like ours, and for options without `--beir`."""
    keys = sorted(key for key in _ini_keys(config) if key.startswith("beir_"))
    if keys:
        raise pytest.UsageError(
            f"{config.inipath}: no ini key configures the suite (found {', '.join(keys)}): write "
            f"it into beir.yaml of the project folder, or as an option into addopts"
        )
    if config.option.beir:
        return
    strays = sorted({word.split("=")[0] for word in _words(config) if word.startswith("--beir-")})
    if strays:
        raise pytest.UsageError(f"{', '.join(strays)}: nothing happens without --beir: type it too")


def _words(config: pytest.Config) -> Iterable[str]:
    return (str(word) for word in config.invocation_params.args)


def _ini_keys(config: pytest.Config) -> Iterable[str]:
    """The keys of the ini-file; pytest 9 renamed the attribute and deprecates the old one."""
    held = vars(config).get("_inicfg")
    return list(held if held is not None else vars(config).get("inicfg", {}))
