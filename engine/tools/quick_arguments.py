"""Tell in microseconds that arguments are surely sound: jsonschema is asked (and imported) only where they may not be.

True only where jsonschema finds no fault; False means "ask jsonschema". A schema with a keyword that is not here is
always asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...schemas.patterns import search

Surely = Callable[[Any], bool]

_ANNOTATIONS = frozenset(("title", "description", "default", "examples", "$comment"))


def surely_sound(schema: Any) -> Surely:
    """A quick test for values of a schema. It raises PatternFault where a pattern takes too long."""
    if schema is True:
        return _yes
    if not isinstance(schema, Mapping):
        return _unsure
    tests: list[Surely] = []
    for keyword in schema:
        if keyword in _KEYWORDS:
            tests.append(_KEYWORDS[keyword](schema))
        elif keyword not in _ANNOTATIONS and not str(keyword).startswith("x-"):
            return _unsure
    if len(tests) == 1:
        return tests[0]
    return lambda value: all(test(value) for test in tests)


def _yes(_: Any) -> bool:
    return True


def _unsure(_: Any) -> bool:
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Surely] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _type(schema: Mapping[str, Any]) -> Surely:
    kinds = schema["type"]
    names: Iterable[str] = [kinds] if isinstance(kinds, str) else kinds
    tests = [_TYPES.get(name, _unsure) for name in names]
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


def _enum(schema: Mapping[str, Any]) -> Surely:
    texts = frozenset(value for value in schema["enum"] if isinstance(value, str))
    return lambda value: isinstance(value, str) and value in texts


def _bound(keyword: str, holds: Callable[[float, float], bool]) -> Callable[[Mapping[str, Any]], Surely]:
    def make(schema: Mapping[str, Any]) -> Surely:
        limit = schema[keyword]
        return lambda value: not _is_number(value) or holds(value, limit)

    return make


def _size(
    keyword: str, kind: type[str] | type[list[Any]], holds: Callable[[float, float], bool]
) -> Callable[[Mapping[str, Any]], Surely]:
    def make(schema: Mapping[str, Any]) -> Surely:
        limit = schema[keyword]
        return lambda value: not isinstance(value, kind) or holds(len(value), limit)

    return make


def _pattern(schema: Mapping[str, Any]) -> Surely:
    wanted = schema["pattern"]
    return lambda value: not isinstance(value, str) or search(wanted, value) is not None


def _items(schema: Mapping[str, Any]) -> Surely:
    if "prefixItems" in schema:
        return _unsure
    item = surely_sound(schema["items"])
    return lambda value: not isinstance(value, list) or all(map(item, value))


def _properties(schema: Mapping[str, Any]) -> Surely:
    known = {name: surely_sound(each) for name, each in schema["properties"].items()}

    def holds(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return all(name not in known or known[name](member) for name, member in value.items())

    return holds


def _required(schema: Mapping[str, Any]) -> Surely:
    names = frozenset(schema["required"])
    return lambda value: not isinstance(value, dict) or names <= value.keys()


def _additional(schema: Mapping[str, Any]) -> Surely:
    """Extras that are refused: sure where there are none."""
    if "patternProperties" in schema:
        return _unsure
    names = frozenset(schema.get("properties", ()))
    return lambda value: not isinstance(value, dict) or value.keys() <= names


_KEYWORDS: Mapping[str, Callable[[Mapping[str, Any]], Surely]] = {
    "type": _type,
    "enum": _enum,
    "minimum": _bound("minimum", lambda value, limit: value >= limit),
    "maximum": _bound("maximum", lambda value, limit: value <= limit),
    "exclusiveMinimum": _bound("exclusiveMinimum", lambda value, limit: value > limit),
    "exclusiveMaximum": _bound("exclusiveMaximum", lambda value, limit: value < limit),
    "minLength": _size("minLength", str, lambda size, limit: size >= limit),
    "maxLength": _size("maxLength", str, lambda size, limit: size <= limit),
    "minItems": _size("minItems", list, lambda size, limit: size >= limit),
    "maxItems": _size("maxItems", list, lambda size, limit: size <= limit),
    "pattern": _pattern,
    "items": _items,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
}
