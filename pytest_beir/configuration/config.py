"""The configuration: where the project is, and what its `beir.yaml` says."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from pydantic import PrivateAttr, ValidationError

from pytest_beir.configuration.settings import (
    DatasetEntry,
    Gate,
    RetrieverSettings,
    Settings,
)
from pytest_beir.errors import ConfigError
from pytest_beir.files.validation_messages import explain
from pytest_beir.files.yaml_with_lines import LocatedYaml, Location, read, show
from pytest_beir.flags import STRICT_BY_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

CONFIG_NAME = "beir.yaml"
_MOST_ALIASES = 100
_MARKERS = ("pyproject.toml", "pytest.ini", "pytest.toml", "tox.ini", "setup.cfg")


class Config(Settings):
    """A validated `beir.yaml`, or the defaults; paths in it are absolute.

    `file` is None where there is no file; `folder` is what relative paths in it count from.
    """

    _file: Path | None = PrivateAttr(default=None)
    _yaml: LocatedYaml = PrivateAttr(default_factory=lambda: LocatedYaml(None))

    @property
    def file(self) -> Path | None:
        """The file that was read."""
        return self._file

    @property
    def folder(self) -> Path | None:
        """The folder of the file that was read."""
        return self._file.parent if self._file else None

    def where(self, *location: str | int) -> str:
        """`FILE:LINE: KEY: ` for the start of an error about that part of the file."""
        place = f"{self._file}:{self._yaml.line(location)}: " if self._file else ""
        return f"{place}{show(location)}: " if location else place

    def entry(self, name: str) -> DatasetEntry | None:
        """The entry of `datasets:` with that name, or None."""
        return next((entry for entry in self.datasets or () if entry.name == name), None)

    def gate_for(self, retriever: str) -> Gate:
        """The gate as it stands for one retriever, its own settings laid over the common ones."""
        settings = self.retrievers.get(retriever)
        return self.gate.merged(settings.gate) if settings else self.gate

    def metrics_for(self, retriever: str) -> tuple[str, ...]:
        """What is recorded: `metrics`, then the gated ones that are not among them."""
        return tuple(dict.fromkeys((*self.metrics, *self.gate_for(retriever).metrics)))

    def trained_on(self, retriever: str) -> frozenset[str] | None:
        """The datasets that the config says a retriever was trained on; None means unknown."""
        settings = self.retrievers.get(retriever, RetrieverSettings())
        return None if settings.trained_on is None else frozenset(settings.trained_on)

    def gate_settings(self) -> dict[str, Any]:
        """All that decides verdicts, as plain values: part of a suite's identity."""
        gates = {name: self.gate_for(name) for name in sorted(self.retrievers)}
        return {
            "metrics": list(self.metrics),
            "gate": self.gate.model_dump(mode="json"),
            "retrievers": {name: gate.model_dump(mode="json") for name, gate in gates.items()},
            "groups": self.groups.model_dump(mode="json") if self.groups else None,
        }

    @property
    def strict_flags(self) -> frozenset[str]:
        """The flags that `strict:` names, `default` replaced by those it stands for."""
        return expand_strict(self.strict)


def expand_strict(flags: Iterable[str]) -> frozenset[str]:
    """The flags with `default` replaced by the list it stands for."""
    return frozenset(
        flag for given in flags for flag in (STRICT_BY_DEFAULT if given == "default" else (given,))
    )


def project_folder(start: Path) -> Path:
    """The folder that `beir.yaml` and `baselines/` belong to, searched upward from `start`.

    The first with a `beir.yaml`; else the first that holds a Python project's file, whatever is
    in it, or a `.git`; else `start` itself.
    """
    start = start.resolve()
    folders = (start, *start.parents)
    for folder in folders:
        if is_there(folder / CONFIG_NAME):
            return folder
    for folder in folders:
        if any(_exists(folder / name, file=True) for name in _MARKERS) or _exists(folder / ".git"):
            return folder
    return start


def is_there(path: Path) -> bool:
    """Whether something has this path, a broken link or a pipe included.

    Reading it is then an error: a configuration that cannot be read must not become the defaults.
    """
    return os.path.lexists(path)


def _exists(path: Path, *, file: bool = False) -> bool:
    try:
        return path.is_file() if file else path.exists()
    except OSError:  # a folder above that we may not look into is none of the project's
        return False


def load_config(path: Path | None) -> Config:
    """What the file says, or all defaults for None.

    Raises:
        ConfigError: Lists every problem with file, line and remedy.

    """
    if path is None:
        return Config()
    path = path.resolve()
    document = read(path, ConfigError, aliases=_MOST_ALIASES)
    value = {} if document.value is None else document.value
    if not isinstance(value, dict):
        raise ConfigError(f"{path}:1: expected keys and values, such as 'datasets: [scifact]'")
    _refuse(
        path,
        document,
        [
            (place, "has no value: give it one, or remove the key")
            for place in document.empty_values()
        ],
    )
    try:
        config = Config.model_validate(value, context={"folder": path.parent})
    except ValidationError as error:
        _refuse(path, document, explain(error, Config))
        raise  # every error has a place, so this is not reached
    _refuse(path, document, _contradictions(config))
    config._file = path  # noqa: SLF001 (the two belong to the file, not to its content)
    config._yaml = document  # noqa: SLF001
    return config


def _refuse(path: Path, document: LocatedYaml, problems: Iterable[tuple[Location, str]]) -> None:
    lines = sorted({(document.line(place), f"{show(place)}: {text}") for place, text in problems})
    if lines:
        raise ConfigError("\n".join(f"{path}:{line}: {text}" for line, text in lines))


def _contradictions(config: Config) -> Iterator[tuple[Location, str]]:
    yield from _twice(config)
    gates: list[tuple[Location, Gate]] = [(("gate",), config.gate)]
    gates += [
        (("retrievers", name, "gate"), config.gate_for(name)) for name in sorted(config.retrievers)
    ]
    for place, gate in gates:
        if gate.min_effect > gate.margin:
            yield place, _too_large(gate.min_effect, gate.margin)
            continue
        for dataset in sorted(gate.overrides):
            min_effect, margin = gate.limits_for(dataset)
            if min_effect > margin:
                yield (*place, "overrides", dataset), _too_large(min_effect, margin)


def _too_large(min_effect: float, margin: float) -> str:
    return (
        f"min_effect {min_effect:g} is larger than margin {margin:g}: a drop that the margin"
        " excludes could then never matter; lower the one or raise the other"
    )


def _twice(config: Config) -> Iterator[tuple[Location, str]]:
    names = [entry.name for entry in config.datasets or ()]
    counts = Counter(name.casefold() for name in names)
    for index, name in enumerate(names):
        if counts[name.casefold()] > 1:
            yield ("datasets", index), f"the name {name!r} is given twice (case does not count)"
    seen: dict[str, str] = {}
    for suite in config.suites:
        first = seen.setdefault(suite.casefold(), suite)
        if first != suite:
            yield ("suites", suite), f"differs from the suite {first!r} only by case"
    entries = {entry.name.casefold() for entry in config.datasets or () if not entry.is_bare}
    for suite in config.suites:
        if suite.casefold() in entries:
            yield ("suites", suite), "a dataset of `datasets:` has this name: choose another"
