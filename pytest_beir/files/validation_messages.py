"""What pydantic found wrong in a file, said in the file's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from pytest_beir.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_core import ErrorDetails

    from pytest_beir.files.yaml_with_lines import Location


def explain(error: ValidationError, root: type[BaseModel]) -> list[tuple[Location, str]]:
    """Each problem's place in the file and what mends it; `root` is the model of the whole file."""
    return [_explained(details, root) for details in error.errors()]


def _explained(details: ErrorDetails, root: type[BaseModel]) -> tuple[Location, str]:
    kind, value = details["type"], details["input"]
    # A union's branch and a mapping's key are steps that the file does not have.
    place = tuple(step for step in details["loc"] if step != "[key]")
    if kind == "extra_forbidden":
        known = _model_at(root, place[:-1]).model_fields
        text = f"unknown key{did_you_mean(str(place[-1]), known)} (known: {', '.join(known)})"
    elif kind == "missing":
        text = f"the key {place[-1]!r} is missing"
        place = place[:-1]
    elif kind == "value_error":
        text = str(details["ctx"]["error"])
    elif kind == "bool_type":
        text = f"write true or false, not {value!r}"
    elif kind == "string_type":
        text = f"expected text, found {value!r}: write it in quotes"
    elif kind == "tuple_type":
        text = f"expected a list, found {value!r}: write [{value}]"
    elif kind in {"model_type", "dict_type"}:
        text = f"expected keys and values, found {value!r}"
    else:
        text = f"{details['msg'][:1].lower()}{details['msg'][1:]}, found {value!r}"
    return place, text


def _model_at(root: type[BaseModel], place: Location) -> type[BaseModel]:
    """The model of the section at `place`, found by walking the annotations."""
    model = root
    for step in place:
        if isinstance(step, str) and step in model.model_fields:
            inner = list(_models(model.model_fields[step].annotation))
            if inner:
                model = inner[0]
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    arguments = get_args(annotation)
    if not arguments and isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in arguments:
        yield from _models(argument)
