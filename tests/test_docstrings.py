"""A public function that raises an error of ours says so in its docstring."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).resolve().parents[1] / "pytest_beir"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def errors_of_ours() -> set[str]:
    tree = ast.parse((PACKAGE / "errors.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def public_functions(node: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    for inner in node.body:
        if isinstance(inner, ast.ClassDef) and not inner.name.startswith("_"):
            yield from public_functions(inner)
        elif isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
            yield inner


def raised_in(function: ast.FunctionDef) -> Iterator[str]:
    """The names of the classes in its own `raise` statements, not in functions within it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            continue
        if isinstance(node, ast.Raise):
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(raised, ast.Name):
                yield raised.id
        waiting.extend(ast.iter_child_nodes(node))


def test_every_public_function_that_raises_an_error_of_ours_has_a_section_on_it() -> None:
    ours = errors_of_ours()
    silent = [
        f"{path.relative_to(PACKAGE)}:{function.lineno} {function.name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")))
        if ours & set(raised_in(function)) and "Raises:" not in (ast.get_docstring(function) or "")
    ]
    assert silent == []


def test_the_check_finds_one_that_is_silent() -> None:
    silent = ast.parse("def f(x):\n    if x:\n        raise UsageError('no')\n").body[0]
    assert isinstance(silent, ast.FunctionDef)
    assert list(raised_in(silent)) == ["UsageError"]
