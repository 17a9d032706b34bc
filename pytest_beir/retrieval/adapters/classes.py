"""What a value's classes are called, so that a framework is known without being imported."""

from __future__ import annotations

from typing import Any


def is_a(value: Any, *names: str) -> bool:
    """Whether one of the value's classes has such a name, `package.Class`."""
    own = {f"{one.__module__.partition('.')[0]}.{one.__name__}" for one in type(value).__mro__}
    return not own.isdisjoint(names)


def comes_from(value: Any, *packages: str) -> bool:
    """Whether one of the value's classes is defined in such a package."""
    return any(one.__module__.partition(".")[0] in packages for one in type(value).__mro__)
