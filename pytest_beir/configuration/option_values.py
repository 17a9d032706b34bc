"""What an option's value means, for pytest's options and for the commands' alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_beir.configuration.config import CONFIG_NAME, expand_strict, is_there
from pytest_beir.errors import UsageError
from pytest_beir.flags import MAY_FAIL
from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from pytest_beir.configuration.config import Config


def words(given: Iterable[str]) -> list[str]:
    """The words of a list with commas, which may be given in several parts."""
    return [word.strip() for part in given for word in part.split(",") if word.strip()]


def chosen(option: str, given: Iterable[str], known: Collection[str]) -> list[str]:
    """The words of an option that chooses some of `known`.

    Raises:
        UsageError: A word is not one of them, or there is none.

    """
    found = words(given)
    for word in found:
        if word not in known:
            raise UsageError(
                f"{option}={word}: not one of {', '.join(known)}{did_you_mean(word, known)}"
            )
    if not found:
        raise UsageError(f"{option}= names nothing; write some of {','.join(known)}")
    return found


def strict_flags(option: str, given: str | None, config: Config, *, behind: str) -> frozenset[str]:
    """The flags that fail: those of the option, else those of `beir.yaml`.

    `behind` is what may stand behind the option on a command line and be taken for its value.

    Raises:
        UsageError: A flag is unknown, or none is named.

    """
    if given is None:
        return config.strict_flags
    found = words([given])
    if not found:
        raise UsageError(f"{option}= names no flag: leave the '=' out for the default list")
    for word in found:
        if word not in (*MAY_FAIL, "default"):
            raise UsageError(
                f"{option}={given}: unknown flag {word!r}{did_you_mean(word, MAY_FAIL)}"
                f" (flags: default, {', '.join(MAY_FAIL)}; {behind} after {option} is taken"
                f" for its value: write it first, or {option}=default)"
            )
    return expand_strict(found)


def config_file(option: str, named: Path | None, given: str | None, project: Path) -> Path | None:
    """The `beir.yaml` that is meant: the one named, else the project folder's if it has one.

    Raises:
        UsageError: The one that is named is not a file.

    """
    if named is not None:
        if not named.is_file():
            raise UsageError(f"{option}={given}: {named} is not a file")
        return named
    default = project / CONFIG_NAME
    return default if is_there(default) else None


def ci_refusal(option: str) -> UsageError:
    """The error of an attempt to write baselines where CI is set, without the option for it."""
    return UsageError(
        "CI is set, and baselines are not written there: a gate that rewrites its own baseline"
        f" cannot fail. Add {option} where that is really meant"
    )
