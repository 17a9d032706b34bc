"""One word of a list of datasets: a name, or a folder with or without a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
NAME_RULE = "letters, digits, '.', '_' and '-', beginning with a letter or digit"


@dataclass(frozen=True)
class DatasetWord:
    """A name to look up, or with `folder` (as written) the name that the folder's data get."""

    name: str
    folder: str | None = None


def is_name(text: str) -> bool:
    """Whether `text` can name a dataset or a suite."""
    return NAME.fullmatch(text) is not None


def parse_word(text: str) -> DatasetWord:
    """What a word of `--beir-datasets` or `beir.yaml` says; ValueError names what mends it."""
    word = text.strip()
    if not word:
        raise ValueError("an empty word where a dataset's name should be")
    if word.startswith("@"):
        raise ValueError(
            f"{word!r}: named sets have no sign before their name (pytest takes '@…' for a file"
            f" of arguments); write {word[1:]!r}"
        )
    before, equals, after = word.partition("=")
    if equals and "/" not in before:
        return _named_folder(word, before.strip(), after.strip())
    if "/" in word:
        return _bare_folder(word)
    if not is_name(word):
        hint = "; a folder is written with '/'" if "\\" in word else ""
        raise ValueError(f"{word!r} is not a dataset's name ({NAME_RULE}){hint}")
    return DatasetWord(word)


def _named_folder(word: str, name: str, folder: str) -> DatasetWord:
    if not is_name(name):
        raise ValueError(f"{word!r}: {name!r} is not a dataset's name ({NAME_RULE})")
    if not folder:
        raise ValueError(f"{word!r}: no folder after '='; write {name}=FOLDER")
    return DatasetWord(name, folder)


def _bare_folder(word: str) -> DatasetWord:
    name = PurePosixPath(word).name
    if not is_name(name):
        raise ValueError(
            f"{word!r}: the folder's own name {name!r} is not a dataset's name ({NAME_RULE});"
            f" give it one: NAME={word}"
        )
    return DatasetWord(name, word)
