"""The declared suite: which datasets a run is about, whatever part of it is selected."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_beir.configuration.dataset_argument import DatasetWord, parse_word
from pytest_beir.configuration.declared_dataset import DeclaredDataset
from pytest_beir.errors import ConfigError, UsageError
from pytest_beir.files.paths import user_path
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_beir.configuration.config import Config
    from pytest_beir.datasets.catalog import Catalog

DEFAULT_SET = "bundled"
OPTION = "--beir-datasets"
_DEEPEST = 20
LATENCY_ENDING = ".latency"


def resolve(
    words: Sequence[str] | None,
    config: Config,
    *,
    base: Path,
    catalog: Catalog | None = None,
    option: str = OPTION,
) -> tuple[DeclaredDataset, ...]:
    """The datasets that `words` declare, in their order, each once.

    `words` are those of `option` (each may hold several, separated by commas), their folders
    counting from `base`; None declares `datasets:` of the config, else the bundled ones. The same
    dataset by two ways (a set and a name) is one dataset.

    Raises:
        ConfigError: `beir.yaml` is at fault; names the line.
        UsageError: A word names nothing, or one name is written twice or has two folders.

    """
    resolver = _Resolver(config, catalog)
    resolver.check_names()
    declared = resolver.default() if words is None else resolver.typed(words, base, option)
    resolver.check_overrides(declared)
    for item in declared:
        if item.name.casefold().endswith(LATENCY_ENDING):
            raise UsageError(
                f"{item.name}: a dataset's name cannot end in {LATENCY_ENDING}, which the file of"
                " stored times ends in: choose another name"
            )
    return declared


def resolve_stored(
    names: Sequence[str], config: Config, *, base: Path
) -> tuple[DeclaredDataset, ...]:
    """The datasets that scores were stored of; one that is not known here has no folder.

    Raises:
        ConfigError: `beir.yaml` is at fault; names the line.

    """
    resolver = _Resolver(config, None)
    resolver.check_names()
    declared = tuple(resolver.stored(name, base) for name in names)
    resolver.check_overrides(declared)
    return declared


def named_by_config(config: Config, *, catalog: Catalog | None = None) -> frozenset[str]:
    """The names of all datasets that `datasets:` or any suite of the config declares.

    Empty where the config has neither, which is to be read as "cannot tell", not as "none".
    """
    resolver = _Resolver(config, catalog)
    resolver.check_names()
    declared = list(resolver.default()) if config.datasets else []
    for suite in config.suites:
        declared += resolver.suite(suite)
    return frozenset(item.name for item in declared)


@dataclass(frozen=True)
class _Place:
    """Where a word was written: begins an error's text, and says which error it is."""

    text: str = ""
    error: type[UsageError] = ConfigError

    def __str__(self) -> str:
        return self.text


class _Resolver:
    def __init__(self, config: Config, catalog: Catalog | None) -> None:
        if catalog is None:
            from pytest_beir.datasets.catalog import load_catalog

            catalog = load_catalog()
        self.config = config
        self.catalog = catalog
        self.entries = {entry.name: entry for entry in config.datasets or ()}
        self._suites: dict[str, tuple[DeclaredDataset, ...]] = {}
        self.folded = {name.casefold(): name for name in catalog.entries}

    def default(self) -> tuple[DeclaredDataset, ...]:
        if self.config.datasets is None:
            return self._collect(
                self._expand(DatasetWord(DEFAULT_SET), (), _Place(), Path()), _Place()
            )
        found: list[DeclaredDataset] = []
        for index, entry in enumerate(self.config.datasets):
            where = _Place(self.config.where("datasets", index))
            folder = str(entry.path) if entry.path else None
            found += self._expand(DatasetWord(entry.name, folder), (), where, Path())
        return self._collect(found, _Place(self.config.where("datasets")))

    def typed(self, words: Sequence[str], base: Path, option: str) -> tuple[DeclaredDataset, ...]:
        where = _Place(f"{option}: ", UsageError)
        try:
            parsed = [parse_word(word) for given in words for word in given.split(",")]
        except ValueError as error:
            raise UsageError(f"{where}{error}") from None
        if not parsed:
            raise UsageError(f"{where}names no dataset")
        seen: set[str] = set()
        for word in parsed:
            if word.name.casefold() in seen:
                raise UsageError(f"{where}the name {word.name!r} is given twice; write it once")
            seen.add(word.name.casefold())
        found = (item for word in parsed for item in self._expand(word, (), where, base))
        return self._collect(found, where)

    def stored(self, name: str, base: Path) -> DeclaredDataset:
        try:
            declared = self.typed([name], base, OPTION)
        except ConfigError:
            raise
        except UsageError:
            declared = ()
        return declared[0] if len(declared) == 1 else DeclaredDataset(name)

    def _expand(
        self, word: DatasetWord, within: tuple[str, ...], where: _Place, base: Path
    ) -> Iterator[DeclaredDataset]:
        if word.folder is not None:
            yield self._in_folder(word, where, base)
        elif word.name in self.entries and not self.entries[word.name].is_bare:
            yield self._configured(word.name)
        elif word.name in self.config.suites:
            yield from self.suite(word.name, within, where)
        elif word.name in self.catalog.sets:
            for member in self.catalog.sets[word.name].members:
                yield self._configured(member)
        elif word.name in self.catalog.entries:
            yield self._configured(word.name)
        else:
            raise self._unknown(word.name, where)

    def suite(
        self, name: str, within: tuple[str, ...] = (), where: _Place = _Place()
    ) -> tuple[DeclaredDataset, ...]:
        """The datasets of a suite and of those in it, each once."""
        if name in within:
            circle = " -> ".join((*within[within.index(name) :], name))
            raise ConfigError(f"{where}the suite contains itself: {circle}")
        if len(within) >= _DEEPEST:
            raise ConfigError(f"{where}suites within suites, more than {_DEEPEST} deep")
        if name not in self._suites:
            folder = self.config.folder or Path.cwd()
            found: dict[DeclaredDataset, None] = {}
            for index, word in enumerate(self.config.suites[name]):
                place = _Place(self.config.where("suites", name, index))
                inner = self._expand(parse_word(word), (*within, name), place, folder)
                found |= dict.fromkeys(inner)
            self._suites[name] = tuple(found)
        return self._suites[name]

    def _in_folder(self, word: DatasetWord, where: _Place, base: Path) -> DeclaredDataset:
        name, written = word.name, word.folder or ""
        path = _resolved(written, base, where)
        parent = written.strip("/").partition("/")[0]
        forums = self.catalog.entries.get(parent)
        if forums is not None and forums.members and not path.is_dir():
            raise UsageError(
                f"{where}{written!r} is a part of {parent!r}, which is scored whole or not at all:"
                f" write {parent!r} (a word with '/' means a folder, and there is none at {path})"
            )
        if name in self.catalog.sets or name in self.config.suites:
            kind = "named set" if name in self.catalog.sets else "suite"
            raise UsageError(
                f"{where}the folder {written!r} cannot be called {name!r}, which is a {kind};"
                f" write OTHERNAME={written}"
            )
        known = self.folded.get(name.casefold(), name)
        if known != name:
            raise UsageError(
                f"{where}{name!r} differs from the catalogue's {known!r} only by case: write"
                f" {known}={written}, or another name"
            )
        return self._configured(name, path)

    def _configured(self, name: str, path: Path | None = None) -> DeclaredDataset:
        """What `datasets:` says of that name holds wherever the name is used."""
        entry = self.entries.get(name)
        if entry is None:
            return DeclaredDataset(name, path)
        return DeclaredDataset(
            name,
            path or entry.path,
            entry.split,
            entry.drop_identical_ids,
            entry.weight,
            entry.tolerant,
        )

    def _unknown(self, name: str, where: _Place) -> UsageError:
        known = [*self.entries, *self.config.suites, *self.catalog.sets, *self.catalog.entries]
        known = [each for each in known if each != name]
        return where.error(
            f"{where}no dataset, named set or suite is called {name!r}"
            f"{did_you_mean(name, known)} (a folder of your own: {name}=FOLDER)"
        )

    def _collect(
        self, found: Iterable[DeclaredDataset], where: _Place
    ) -> tuple[DeclaredDataset, ...]:
        declared: dict[str, DeclaredDataset] = {}
        for item in found:
            first = declared.setdefault(item.name.casefold(), item)
            if first != item:
                raise UsageError(
                    f"{where}two datasets are called {item.name!r}:"
                    f" {_source(first)} and {_source(item)}; the case of letters does not count"
                )
        return tuple(declared.values())

    def check_names(self) -> None:
        taken = {name.casefold(): name for name in self.catalog.sets}
        for index, entry in enumerate(self.config.datasets or ()):
            where = self.config.where("datasets", index)
            if not entry.is_bare and entry.name.casefold() in taken:
                raise ConfigError(f"{where}{entry.name!r} is a named set: choose another name")
            known = self.folded.get(entry.name.casefold(), entry.name)
            if known != entry.name:
                raise ConfigError(f"{where}write {known!r}, as the catalogue does")
            if not entry.is_bare and entry.path is None and entry.name not in self.catalog.entries:
                near = did_you_mean(entry.name, self.catalog.entries)
                raise ConfigError(
                    f"{where}the catalogue has no {entry.name!r}{near}; give your own data a 'path'"
                )
        for suite in self.config.suites:
            kind = "named set" if suite.casefold() in taken else "dataset of the catalogue"
            if suite.casefold() in taken or suite.casefold() in self.folded:
                where = self.config.where("suites", suite)
                raise ConfigError(f"{where}a {kind} has this name: choose another")

    def check_overrides(self, declared: Sequence[DeclaredDataset]) -> None:
        """An override that names nothing would be a limit that silently does not hold."""
        known = {item.name for item in declared} | set(self.entries) | set(self.catalog.entries)
        known |= {
            parsed.name
            for words in self.config.suites.values()
            for parsed in map(parse_word, words)
            if parsed.folder is not None
        }
        gates = {("gate",): self.config.gate}
        for name, settings in self.config.retrievers.items():
            gates[("retrievers", name, "gate")] = settings.gate  # type: ignore[index]
        for place, gate in gates.items():
            for dataset in gate.overrides:
                if dataset not in known:
                    where = self.config.where(*place, "overrides", dataset)
                    near = did_you_mean(dataset, known)
                    raise ConfigError(f"{where}no dataset has this name{near}")


def _resolved(written: str, base: Path, where: _Place) -> Path:
    try:
        return user_path(written, base).resolve()
    except UsageError as error:
        raise UsageError(f"{where}{error}") from None


def _source(item: DeclaredDataset) -> str:
    return str(item.path) if item.path else f"the catalogue's {item.name}"
