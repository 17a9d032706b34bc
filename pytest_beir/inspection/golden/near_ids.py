"""Document ids that were probably meant, where judgements name ones that are not there."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def nearest_ids(unknown: Collection[str], known: Collection[str]) -> dict[str, str]:
    r"""{unknown id: known id} where the two differ in one of the usual ways.

    Another case or `\` for `/`, a missing extension or folder, leading zeros that a spreadsheet
    took away. An id that could be several known ones is left out.
    """
    found: dict[str, str] = {}
    for fold_known, fold_unknown in _FOLDS:
        keys: dict[str, set[str]] = {}
        for identifier in known:
            keys.setdefault(fold_known(identifier.casefold()), set()).add(identifier)
        for identifier in unknown:
            near = keys.get(fold_unknown(_slashed(identifier)), set())
            if len(near) == 1:
                found.setdefault(identifier, next(iter(near)))
    return found


def _slashed(identifier: str) -> str:
    return identifier.replace("\\", "/").removeprefix("./").casefold()


def _same(identifier: str) -> str:
    return identifier


def _without_zeros(identifier: str) -> str:
    return identifier.lstrip("0")


def _without_extension(identifier: str) -> str:
    return str(PurePosixPath(identifier).with_suffix("")) if _name(identifier) else identifier


def _name(identifier: str) -> str:
    return PurePosixPath(identifier).name


def _stem(identifier: str) -> str:
    return PurePosixPath(identifier).stem


# From the smallest difference to the largest: how a known id and an unknown one are compared.
_FOLDS: tuple[tuple[Callable[[str], str], Callable[[str], str]], ...] = (
    (_same, _same),
    (_without_zeros, _without_zeros),
    (_without_extension, _same),
    (_name, _name),
    (_stem, _name),
)
