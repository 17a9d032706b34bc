"""A retriever as bytes that another process can use, for the way over a connection."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir.errors import RetrieverError
from pytest_beir.retrieval.user_code import described

if TYPE_CHECKING:
    from types import ModuleType


def pickled(value: Any) -> bytes:
    """The retriever with its code, where that is a conftest or a test that no worker can import.

    Raises:
        RetrieverError: something in it belongs to this process alone.

    """
    import cloudpickle

    module = _module_of(value)
    by_value = module is not None and not _is_importable(module)
    if by_value:
        cloudpickle.register_pickle_by_value(module)
    try:
        packed: bytes = cloudpickle.dumps(value)
    except Exception as error:
        raise RetrieverError(
            f"the retriever cannot be sent to workers: {described(error)}; open connections, files"
            " and locks in index(), not in the fixture, or return a factory f(corpus)"
        ) from error
    finally:
        if by_value:
            cloudpickle.unregister_pickle_by_value(module)
    return packed


def _module_of(value: Any) -> ModuleType | None:
    named = value if hasattr(value, "__qualname__") else type(value)
    return sys.modules.get(getattr(named, "__module__", None) or "")


def _is_importable(module: ModuleType) -> bool:
    """Whether another process finds the same module by its name."""
    file = getattr(module, "__file__", None)
    if file is None:
        return True
    if Path(file).name == "conftest.py" or Path(file).name.startswith("test_"):
        return False
    try:
        spec = find_spec(module.__name__)
    except (ImportError, ValueError):
        return False
    # Among the modules that are loaded already, a spec is found by its name alone.
    return spec is not None and spec.origin == file and _is_on_path(module, Path(file))


def _is_on_path(module: ModuleType, file: Path) -> bool:
    parts = module.__name__.split(".")
    root = file.parent if file.stem != "__init__" else file.parent.parent
    for _ in parts[1:]:
        root = root.parent
    return str(root) in {str(Path(each or ".").resolve()) for each in sys.path}
