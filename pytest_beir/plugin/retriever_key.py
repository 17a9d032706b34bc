"""What distinguishes two retrievers, and the error of two that share a name."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True)
class FixtureUse:
    """One fixture that a retriever is made of.

    `owner` is the folder, module or class for which pytest registered it, `file` and `line` are
    those of its function (no line where a mark takes its place), `parameter` is the one in use
    (empty where there is none).
    """

    name: str
    owner: str
    file: str
    line: int | None
    parameter: str

    @property
    def place(self) -> str:
        """File and line, as people write it."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class RetrieverKey:
    """What distinguishes two retrievers: every fixture in use, the user's own one first."""

    fixtures: tuple[FixtureUse, ...]

    def plain(self) -> tuple[tuple[Any, ...], ...]:
        """Plain values, as a worker sends them."""
        return tuple(astuple(use) for use in self.fixtures)

    @classmethod
    def of(cls, plain: Collection[Collection[Any]]) -> RetrieverKey:
        """The key that `plain` took apart."""
        return cls(tuple(FixtureUse(*fields) for fields in plain))

    def __str__(self) -> str:
        """The fixture that a user calls "my retriever", and where it is."""
        if not self.fixtures:
            return "an unknown fixture"
        own = self.fixtures[0]
        given = [f"{use.name} = {use.parameter}" for use in self.fixtures if use.parameter]
        return f"{own.place}" + (f" with {', '.join(given)}" if given else "")

    def against(self, others: Collection[RetrieverKey]) -> str:
        """The key in words that tell it from the others, overridden fixtures included."""
        text = str(self)
        if all(str(other) != text for other in others if other != self):
            return text
        shared = set.intersection(*({*other.fixtures} for other in {self, *others}))
        own = [use for use in self.fixtures if use not in shared]
        fixtures = [f"{use.name!r} of {use.owner or 'the project'}" for use in own]
        return f"{text} ({', '.join(fixtures)})"


@dataclass(frozen=True)
class ResultKey:
    """One retriever under one name, on one dataset."""

    retriever: RetrieverKey
    name: str
    dataset: str


def clash(name: str, keys: Collection[RetrieverKey]) -> str:
    """The error of several retrievers under one name, with all of them in it."""
    shown = sorted(key.against(keys) for key in keys)
    count = {2: "two"}.get(len(shown), str(len(shown)))
    return (
        f"{count} retrievers are called {name!r} and would share one baseline: "
        f"{' and '.join(shown)}; give them different 'name' attributes or ids"
    )
