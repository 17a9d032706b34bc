"""What was typed on the command line, as against what came from `addopts`."""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_DEEPEST = 20


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
    """Refuse what would be ignored without a word.

    Raises:
        pytest.UsageError: An ini key looks like ours, or an option is given without `--beir`.

    """
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


def ended_while_imported(end: BaseException) -> str:
    """What to say of a conftest that skipped, failed or left pytest while it was imported."""
    places = [
        f"{frame.filename}:{frame.lineno}"
        for frame in traceback.extract_tb(end.__traceback__)
        if Path(frame.filename).name == "conftest.py"
    ]
    text = f"{type(end).__name__}({str(getattr(end, 'msg', None) or end)!r})"
    return (
        f"{places[-1] if places else 'a conftest.py'}: {text} ended pytest while the file was "
        f"imported, so nothing of the suite could run: do it inside the fixture"
    )


def _words(config: pytest.Config) -> Iterator[str]:
    """What was typed, with the words of each file of arguments (`@ci.args`) in its place."""
    folder = config.invocation_params.dir
    for word in config.invocation_params.args:
        yield from _expanded(str(word), folder, depth=0)


def _expanded(word: str, folder: Path, depth: int) -> Iterator[str]:
    if not word.startswith("@") or depth > _DEEPEST:
        yield word
        return
    try:
        text = os.fsdecode((folder / word[1:]).read_bytes())
    except OSError:  # pytest itself has said so
        return
    for line in text.splitlines():
        yield from _expanded(line, folder, depth + 1)


def _ini_keys(config: pytest.Config) -> Iterable[str]:
    """The keys of the ini-file; pytest 9 renamed the attribute and deprecates the old one."""
    held = vars(config).get("_inicfg")
    return list(held if held is not None else vars(config).get("inicfg", {}))
