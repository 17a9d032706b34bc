"""The one retriever that is open in a process, and the names that retrievers have taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import BeirError, UsageError
from pytest_beir.plugin.retriever_key import clash
from pytest_beir.retrieval.adapters import adapted
from pytest_beir.retrieval.retriever import RetrieverUnderTest, wrap
from pytest_beir.retrieval.run_files import RunFiles

if TYPE_CHECKING:
    import pytest

    from pytest_beir.plugin.on_scheduler import OnScheduler
    from pytest_beir.plugin.retriever_identity import RetrieverIdentity
    from pytest_beir.plugin.retriever_key import RetrieverKey


@dataclass(frozen=True)
class _Opened:
    """The retriever in use: the user's value, what we made of it, and how it called itself."""

    value: Any
    retriever: RetrieverUnderTest
    declared_name: str | None


class OpenedRetriever:
    """Wraps the values of fixtures; one index is open per process, so one of them at a time."""

    def __init__(self, config: pytest.Config, on_scheduler: OnScheduler | None) -> None:
        self._config = config
        self._on_scheduler = on_scheduler
        self._opened: _Opened | None = None
        self._named: dict[str, RetrieverKey] = {}

    def wrapped(self, value: Any, identity: RetrieverIdentity) -> RetrieverUnderTest:
        """The retriever made of a value, the same one as long as the value is in use."""
        if self._opened is not None and self._opened.value is value:
            return self._opened.retriever
        offered = self._config.hook.pytest_beir_adapt(value=value)
        prepared = adapted(value if offered is None else offered)
        if isinstance(prepared, RunFiles):
            prepared = prepared.relative_to(identity.directory)
        if self._on_scheduler is not None:
            return self._on_scheduler.wrapped(prepared)
        return wrap(prepared)

    def use(self, value: Any, retriever: RetrieverUnderTest) -> None:
        """Take a retriever in use; the one before is closed first."""
        if self._opened is None or self._opened.value is not value:
            self.close()
            self._opened = _Opened(value, retriever, retriever.declared_name)

    def declared_name(self, value: Any, retriever: RetrieverUnderTest) -> str | None:
        """The name that the retriever declares.

        Raises:
            UsageError: It has changed while the retriever was in use.

        """
        declared = retriever.declared_name
        if self._opened is not None and self._opened.value is value:
            refuse_renaming(self._opened.declared_name, declared)
        return declared

    def take_name(self, name: str, identity: RetrieverIdentity) -> None:
        """Note whose name it is.

        Raises:
            UsageError: Another retriever has it.

        """
        known = self._named.setdefault(name, identity.key)
        if known != identity.key:
            raise UsageError(clash(name, (known, identity.key)))

    def give_name_back(self, name: str) -> None:
        """Forget whose name it is."""
        del self._named[name]

    def close(self) -> None:
        """Close the retriever in use."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.retriever.close()


def refuse_renaming(before: str | None, after: str | None) -> None:
    """Refuse a name that has changed.

    Raises:
        UsageError: The two differ.

    """
    if before != after:
        raise UsageError(
            f"the retriever's 'name' was {before!r} and became {after!r} while it was in use; its "
            f"baselines are found by it: set it before the fixture returns, equal for all datasets"
        )


def name_of(value: Any) -> str | None:
    """The name that a retriever has, where one can be read."""
    try:
        return wrap(value).declared_name
    except BeirError:
        return None
