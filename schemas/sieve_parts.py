"""What a keyword asks of a single value, as a quick test that may doubt but never wrongly agrees."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .formats import FORMATS
from .registry import Schema

Sieve = Callable[[Any], bool]
Within = Callable[[Schema], Sieve]
Make = Callable[[Schema, Within], Sieve]

_TYPES: Mapping[str, Sieve] = {
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: value is True or value is False,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def python_pattern(pattern: str) -> str:
    r"""A pattern of ours for ``re``: there ``$`` also matches before a final line break, in JSON Schema it does not."""
    return pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") and not pattern.endswith(r"\$") else pattern


def never(_: Any) -> bool:
    return False


def _type(schema: Schema, _: Within) -> Sieve:
    kinds = schema["type"]
    if isinstance(kinds, str):
        return _TYPES.get(kinds, never)
    tests = [_TYPES.get(kind, never) for kind in kinds]
    return lambda value: any(test(value) for test in tests)


def _enum(schema: Schema, _: Within) -> Sieve:
    values = schema["enum"]
    if all(isinstance(value, str) for value in values):
        allowed = frozenset(values)
        return lambda value: isinstance(value, str) and value in allowed
    scalars = [value for value in values if not isinstance(value, dict | list)]
    return lambda value: any(type(value) is type(each) and value == each for each in scalars)


def _pattern(schema: Schema, _: Within) -> Sieve:
    search = re.compile(python_pattern(schema["pattern"])).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _format(schema: Schema, _: Within) -> Sieve:
    holds = FORMATS.get(schema["format"])
    return lambda value: holds is None or not isinstance(value, str) or holds(value)


def _length(schema: Schema, _: Within) -> Sieve:
    least, most = schema.get("minLength", 0), schema.get("maxLength", float("inf"))
    return lambda value: not isinstance(value, str) or least <= len(value) <= most


def _bounds(schema: Schema, _: Within) -> Sieve:
    endless = float("inf")
    least, most = schema.get("minimum", -endless), schema.get("maximum", endless)
    above, below = schema.get("exclusiveMinimum", -endless), schema.get("exclusiveMaximum", endless)
    return lambda value: not isinstance(value, int | float) or (least <= value <= most and above < value < below)


def _unique(schema: Schema, _: Within) -> Sieve:
    def distinct(value: Any) -> bool:
        if not schema["uniqueItems"] or not isinstance(value, list):
            return True
        return all(isinstance(each, str | int | float) for each in value) and len(set(value)) == len(value)

    return distinct


def _count(schema: Schema, _: Within) -> Sieve:
    least, most = schema.get("minProperties", 0), schema.get("maxProperties", float("inf"))
    return lambda value: not isinstance(value, dict) or least <= len(value) <= most


def _required(schema: Schema, _: Within) -> Sieve:
    keys = tuple(schema["required"])
    return lambda value: not isinstance(value, dict) or all(key in value for key in keys)


VALUE_PARTS: Mapping[str, Make | None] = {
    **dict.fromkeys(("title", "description", "$defs", "then", "else", "x-says", "x-says-count")),
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "format": _format,
    "minLength": _length,
    "maxLength": _length,
    "minimum": _bounds,
    "maximum": _bounds,
    "exclusiveMinimum": _bounds,
    "exclusiveMaximum": _bounds,
    "uniqueItems": _unique,
    "required": _required,
    "minProperties": _count,
    "maxProperties": _count,
}
