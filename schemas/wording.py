"""Say what is wrong with the shape of a value, and what to do, in the words of people who write packs."""

from __future__ import annotations

import json
from typing import Any

from .branches import type_name

NAMES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
LONGEST = 60

Said = tuple[str, str]  # what is wrong, and what to do


def is_type(value: Any, kind: str) -> bool:
    """Whether a value has a JSON Schema type; 1.0 is not an integer."""
    if kind == "integer":
        return type(value) is int
    return type_name(value) == kind


def shown(value: Any) -> str:
    """A value as it is told in a fault: short, in one line, without anything a terminal would obey."""
    if isinstance(value, str):
        return f"'{_cut(value)}'" if value.isprintable() else _cut(json.dumps(value))
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    return _cut(json.dumps(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def wrong_type(value: Any, expected: list[str]) -> Said:
    """``expected`` are JSON Schema types; the first one is what the remedy speaks of."""
    found = type_name(value)
    if "string" in expected and found in ("number", "boolean"):
        return f"{shown(value)} is {_a(found)} where text is meant", "put it in quotes"
    meant = listed([NAMES[name] for name in expected])
    if value is None:
        return f"nothing stands here where {meant} is meant", f"write {meant}, or leave the key out"
    said = f"{shown(value)} is {_a(found)}" if isinstance(value, str | int | float) else _a(found)
    return f"{said} where {meant} is meant", _how(value, expected[0])


def _a(found: str) -> str:
    return "a truth value" if found == "boolean" else NAMES[found]


def _how(value: Any, expected: str) -> str:
    if expected == "boolean":
        return "write true or false, without quotes"
    if expected in ("number", "integer"):
        whole = "a whole number" if expected == "integer" else "a number"
        return f"write {whole}, without quotes and without a unit"
    if expected == "array" and not isinstance(value, dict):
        return f"write a list: [{shown(value).strip(chr(39))}]"
    return f"write {NAMES[expected]}"


_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
}


def out_of_bounds(value: Any, bound: str, limit: Any) -> Said:
    """A number outside its bounds; ``bound`` is the keyword."""
    return f"{shown(value)} is out of range", f"write a number that is {_BOUNDS[bound]} {shown(limit)}"


def listed(names: list[str]) -> str:
    """``a, b or c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
