"""The tables of the docs that are made from the code: `python docs/references.py` writes them.

A page holds a table between `<!-- made from the code: NAME -->` and `<!-- end -->`. A test fails
where a page differs from what this gives.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_beir import cli
from pytest_beir.flags import FLAGS, STRICT_BY_DEFAULT
from pytest_beir.plugin import declared_options
from pytest_beir.reports.json import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

DOCS = Path(__file__).resolve().parent
_BLOCK = re.compile(
    r"(<!-- made from the code: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL
)

# What holds where an option is not given; a new option has to be added here.
DEFAULTS = {
    "--beir-datasets": "`datasets:` of `beir.yaml`, else the set `bundled`",
    "--beir-only": "the whole suite",
    "--beir-config": "`beir.yaml` of the project folder",
    "--beir-cache": "the platform's folder for caches, `~/.cache/pytest-beir` on Linux",
    "--beir-baselines": "`baselines/` of the project folder",
    "--beir-baselines-from": "the baselines in the working tree",
    "--beir-accept": "nothing",
    "--beir-reason": "none",
    "--beir-runs": "rankings are not saved",
    "--beir-report": "no report folder",
    "--beir-strict": "`strict:` of `beir.yaml`, else none",
    "--beir-repeat": "once",
    "--beir-scheduler": "no Dask",
}


class _Recorder:
    """Stands for pytest's parser, and keeps what is declared."""

    def __init__(self) -> None:
        self.options: list[tuple[str, dict[str, Any]]] = []

    def getgroup(self, *_: str) -> _Recorder:
        return self

    def addoption(self, name: str, **settings: Any) -> None:
        self.options.append((name, settings))


def declared() -> list[tuple[str, dict[str, Any]]]:
    """Every `--beir…` option with what its declaration says."""
    recorder = _Recorder()
    declared_options.declare(recorder)  # type: ignore[arg-type]
    return recorder.options


def options() -> Iterator[str]:
    """The options of pytest, with their defaults."""
    later = set(getattr(declared_options, "LATER", {}).values())
    yield from _head("option", "default", "what it does")
    for name, settings in declared():
        is_switch = settings.get("action") == "store_true"
        value = settings.get("metavar", "")
        shown = name if is_switch else f"{name}[={value}]" if "nargs" in settings else None
        default = "off" if is_switch else DEFAULTS[name]
        remark = " (not built yet)" if name in later else ""
        yield _row(f"`{shown or f'{name}={value}'}`", default, _plain(settings["help"]) + remark)


def strict() -> Iterator[str]:
    """The list that `--beir-strict` without a value stands for."""
    yield ", ".join(f"`{flag}`" for flag in STRICT_BY_DEFAULT)


def flags() -> Iterator[str]:
    """Every flag: what it means, and whether it can fail a run."""
    yield from _head("flag", "of", "meaning", "fails under `--beir-strict`")
    for flag in FLAGS:
        name = f"{flag.name}:METRIC" if flag.per_metric else flag.name
        fails = (
            "by default" if flag.fails_by_default else "when named" if flag.may_fail else "never"
        )
        yield _row(f"`{name}`", "the run" if flag.of_the_run else "a dataset", flag.meaning, fails)


def commands() -> Iterator[str]:
    """Every command with its arguments."""
    parser = cli.parser()
    (action,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))  # noqa: SLF001
    for name, command in action.choices.items():
        yield f"### `{name}`"
        yield ""
        yield from _head("argument", "default", "what it does")
        for each in command._actions:  # noqa: SLF001
            if isinstance(each, argparse._SubParsersAction):  # noqa: SLF001
                for below, choice in each.choices.items():
                    yield _row(f"`{below}`", "", _plain(choice.description or ""))
            elif each.dest != "help":
                yield _row(_argument(each), _default(each), _plain(each.help or ""))
        yield ""


def _argument(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    value = "" if action.nargs == 0 else f"={action.metavar or action.dest.upper()}"
    return f"`{action.option_strings[-1]}{value}`"


def _default(action: argparse.Action) -> str:
    if action.nargs == 0:
        return "off"
    if action.default in (None, [], ()):
        return "none" if action.option_strings else ""
    return f"`{action.default}`"


def beir_json() -> Iterator[str]:
    """Every object of `beir.json` and its fields."""
    whole = json.loads(schema())
    yield from _object("The file", whole)
    for name, definition in whole["$defs"].items():
        if definition.get("properties"):
            yield from _object(f"`{name}`", definition)


def _object(title: str, definition: dict[str, Any]) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    text = definition.get("description")
    if text:
        yield _prose(text)
        yield ""
    yield from _head("field", "type")
    for field, facts in definition["properties"].items():
        yield _row(f"`{field}`", _type(facts))
    yield ""


def _type(facts: dict[str, Any]) -> str:
    if "$ref" in facts:
        return f"`{facts['$ref'].rsplit('/', 1)[-1]}`"
    if "anyOf" in facts:
        return " or ".join(dict.fromkeys(_type(each) for each in facts["anyOf"]))
    if "enum" in facts or "const" in facts:
        return ", ".join(f"`{each}`" for each in facts.get("enum", [facts.get("const")]))
    if facts.get("type") == "array":
        return f"list of {_type(facts.get('items', {}))}"
    values = facts.get("additionalProperties")
    if isinstance(values, dict):
        return f"map of name to {_type(values)}"
    return str(facts.get("type", "any value"))


def _head(*columns: str) -> tuple[str, str]:
    return _row(*columns), _row(*["---"] * len(columns))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _plain(text: str) -> str:
    return " ".join(text.replace("%%", "%").split())


def _prose(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


TABLES: dict[str, Callable[[], Iterable[str]]] = {
    "options": options,
    "strict": strict,
    "flags": flags,
    "commands": commands,
    "beir-json": beir_json,
}


def renewed(page: str) -> str:
    """The text of a page with every table made anew."""

    def table(block: re.Match[str]) -> str:
        lines = "\n".join(TABLES[block["name"]]()).rstrip()
        return f"{block[1]}\n{lines}\n\n{block[3]}"

    return _BLOCK.sub(table, page)


def pages() -> Iterator[Path]:
    """The pages that hold such a table."""
    for page in sorted(DOCS.glob("*.md")):
        if _BLOCK.search(page.read_text(encoding="utf-8")):
            yield page


if __name__ == "__main__":
    for each in pages():
        each.write_text(renewed(each.read_text(encoding="utf-8")), encoding="utf-8")
