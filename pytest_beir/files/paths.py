"""A path as somebody wrote it: `~` resolved, and refused where no file can have it."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_beir.errors import UsageError

_LONGEST_NAME = 255  # bytes, on nearly every file system
_LONGEST_PATH = 4000


def user_path(written: str | os.PathLike[str], base: Path | None = None) -> Path:
    """The absolute path that `written` means, counting from `base`, else the working directory.

    Raises:
        UsageError: it names an unknown user after `~`, is too long, or holds a NUL character.

    """
    text = os.fspath(written)
    if "\0" in text:
        raise UsageError(f"the path {text!r:.80} holds a NUL character")
    try:
        path = Path(text).expanduser()
    except RuntimeError:
        raise UsageError(
            f"{text}: no user is called {Path(text).parts[0][1:]!r}; write the folder in full, or"
            f" ./{text} for what is really called so"
        ) from None
    longest = max((len(os.fsencode(part)) for part in path.parts), default=0)
    if longest > _LONGEST_NAME or len(os.fsencode(path)) > _LONGEST_PATH:
        raise UsageError(
            f"{text[:40]}…: the path is too long ({longest:,} bytes in one name, at most"
            f" {_LONGEST_NAME}); name a shorter one"
        )
    return Path(os.path.abspath((base or Path.cwd()) / path))  # noqa: PTH100 (resolve follows links)


def without_home(text: str) -> str:
    """`text` with the path of the user's home folder written as `~`, wherever it is in it."""
    try:
        home = Path.home()
    except RuntimeError:
        return text
    if len(home.parts) < 2:  # noqa: PLR2004 (the root: every path would begin with it)
        return text
    return text.replace(f"{home}{os.sep}", f"~{os.sep}")
