"""The baselines of a project as they were before the run: each read once, all listed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pytest_beir.baselines import store
from pytest_beir.errors import BaselineError, BeirError

if TYPE_CHECKING:
    from pytest_beir.baselines.baseline import Baseline
    from pytest_beir.plugin.options import Options


class StoredBaselines:
    """What is stored in the folder that the run is gated on; `known` has been read already."""

    def __init__(self, options: Options, known: dict[tuple[str, str], Baseline | None]) -> None:
        self._options = options
        self._known = known
        self._unreadable: list[str] = []

    def load(self, retriever: str, dataset: str) -> Baseline | None:
        """The baseline as it was before the run; read once, however often a report is written."""
        known = self._known
        key = (retriever, dataset)
        if key not in known:
            try:
                known[key] = store.load(self._options.baselines, retriever, dataset)
            except BeirError:
                known[key] = None
        return known[key]

    @property
    def before(self) -> dict[tuple[str, str], Baseline]:
        """The baselines that the run was compared with."""
        return {key: found for key, found in self._known.items() if found}

    def unused(self) -> tuple[store.Key, ...]:
        """Stored baselines of datasets that neither this run nor `beir.yaml` names."""
        named = {*self._options.names, *self._options.named}
        keys = self.listed  # says what cannot be read
        return () if self._unreadable else store.unnamed(keys, named)

    @cached_property
    def listed(self) -> tuple[store.Key, ...]:
        """Every stored baseline, listed once; none where the folder cannot be read."""
        try:
            return store.stored(self._options.baselines)
        except BaselineError as error:
            if str(error) not in self._unreadable:
                self._unreadable.append(str(error))
            return ()

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Folders of baselines that cannot be read, in a line each."""
        return tuple(self._unreadable)
