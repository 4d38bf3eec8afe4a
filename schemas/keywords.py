"""What is wrong with a single value, keyword by keyword, in our words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .formats import FORMATS, MEANINGS
from .nearest import nearest
from .sieve_parts import python_pattern
from .validators import Errors, Keyword, fault
from .wording import is_type, listed, out_of_bounds, shown, wrong_type


def _type(_: Any, kinds: str | list[str], value: Any, _schema: Any) -> Errors:
    expected = [kinds] if isinstance(kinds, str) else kinds
    if not any(is_type(value, kind) for kind in expected):
        yield fault(wrong_type(value, expected), "type")


def _enum(_: Any, allowed: list[Any], value: Any, schema: Any) -> Errors:
    if "type" in schema and not is_type(value, schema["type"]):
        return  # the type has told
    if any(type(value) is type(each) and value == each for each in allowed):
        return
    if isinstance(value, str):
        near = nearest(value, allowed)
        remedy = f"did you mean '{near}'?" if near else f"known: {', '.join(allowed)}"
    else:
        remedy = f"write {listed([shown(each) for each in allowed])}"
    yield fault((f"{shown(value)} is not known here", remedy), "enum")


def _pattern(_: Any, pattern: str, value: Any, schema: Any) -> Errors:
    if isinstance(value, str) and re.search(python_pattern(pattern), value) is None:
        message, remedy = schema["x-says"].split("; ")
        yield fault((f"{shown(value)} {message}", remedy), "pattern")


def _format(_: Any, name: str, value: Any, _schema: Any) -> Errors:
    if isinstance(value, str) and name in FORMATS and not FORMATS[name](value):
        message, remedy = MEANINGS[name]
        yield fault((f"{shown(value)} {message}", remedy), "format")


def _max_length(_: Any, most: int, value: Any, _schema: Any) -> Errors:
    if isinstance(value, str) and len(value) > most:
        yield fault((f"{shown(value)} is longer than {most} characters", "shorten it"), "maxLength")


def _min_length(_: Any, least: int, value: Any, _schema: Any) -> Errors:
    if isinstance(value, str) and len(value) < least:
        yield fault(("the text is empty", "write it, or leave the key out"), "minLength")


def _fewest(_: Any, least: int, value: Any, schema: Any) -> Errors:
    if isinstance(value, list | dict) and len(value) < least:
        empty = f"{'the list' if isinstance(value, list) else 'the mapping'} is empty"
        yield fault((schema.get("x-says-count", empty), "give it at least one entry"), "minItems")


def _most(_: Any, most: int, value: Any, schema: Any) -> Errors:
    if isinstance(value, list | dict) and len(value) > most:
        message = schema.get("x-says-count", f"it holds more than {most} entries")
        yield fault((message, "leave the others out"), "maxItems")


def _unique(_: Any, wanted: bool, value: Any, _schema: Any) -> Errors:
    for n, each in enumerate(value if isinstance(value, list) and wanted else ()):
        if any(each == other and isinstance(each, bool) is isinstance(other, bool) for other in value[:n]):
            yield fault((f"{shown(each)} stands twice in the list", "keep one of them"), "uniqueItems", (n,))


def _bound(keyword: str) -> Keyword:
    def check(_: Any, limit: float, value: Any, _schema: Any) -> Errors:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        outside = {
            "minimum": value < limit,
            "maximum": value > limit,
            "exclusiveMinimum": value <= limit,
            "exclusiveMaximum": value >= limit,
        }
        if outside[keyword]:
            yield fault(out_of_bounds(value, keyword, limit), keyword)

    return check


VALUE_KEYWORDS: Mapping[str, Keyword] = {
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "format": _format,
    "maxLength": _max_length,
    "minLength": _min_length,
    "minItems": _fewest,
    "minProperties": _fewest,
    "maxItems": _most,
    "maxProperties": _most,
    "uniqueItems": _unique,
    "minimum": _bound("minimum"),
    "maximum": _bound("maximum"),
    "exclusiveMinimum": _bound("exclusiveMinimum"),
    "exclusiveMaximum": _bound("exclusiveMaximum"),
}
