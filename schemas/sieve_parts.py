"""What each JSON Schema keyword asks of a value, as a quick test that may doubt but never wrongly agrees."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .branches import Chooser
from .formats import FORMATS
from .registry import Schema, resolve

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


def _never(_: Any) -> bool:
    return False


def _type(schema: Schema, _: Within) -> Sieve:
    kinds = schema["type"]
    if isinstance(kinds, str):
        return _TYPES.get(kinds, _never)
    tests = [_TYPES.get(kind, _never) for kind in kinds]
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


def _array(schema: Schema, within: Within) -> Sieve:
    least, most = schema.get("minItems", 0), schema.get("maxItems", float("inf"))
    item = within(schema.get("items", True))
    return lambda value: not isinstance(value, list) or (least <= len(value) <= most and all(map(item, value)))


def _unique(schema: Schema, _: Within) -> Sieve:
    def distinct(value: Any) -> bool:
        if not schema["uniqueItems"] or not isinstance(value, list):
            return True
        return all(isinstance(each, str) for each in value) and len(set(value)) == len(value)

    return distinct


def _count(schema: Schema, _: Within) -> Sieve:
    least, most = schema.get("minProperties", 0), schema.get("maxProperties", float("inf"))
    return lambda value: not isinstance(value, dict) or least <= len(value) <= most


def _required(schema: Schema, _: Within) -> Sieve:
    keys = tuple(schema["required"])
    return lambda value: not isinstance(value, dict) or all(key in value for key in keys)


def _members(schema: Schema, within: Within) -> Sieve:
    known = {key: within(each) for key, each in schema.get("properties", {}).items()}
    patterns = [(re.compile(key).search, within(each)) for key, each in schema.get("patternProperties", {}).items()]
    other = within(schema.get("additionalProperties", True))

    def member(key: str, value: Any) -> bool:
        at = known.get(key)
        if at is not None and not at(value):
            return False
        met = [test for search, test in patterns if search(key)]
        return all(test(value) for test in met) if met else at is not None or other(value)

    def plain_member(key: str, value: Any) -> bool:
        return known.get(key, other)(value)

    test = member if patterns else plain_member
    return lambda value: not isinstance(value, dict) or all(test(key, each) for key, each in value.items())


def _names(schema: Schema, within: Within) -> Sieve:
    name = within(schema["propertyNames"])
    return lambda value: not isinstance(value, dict) or all(map(name, value))


def _dependent(schema: Schema, _: Within) -> Sieve:
    needs = [(key, tuple(others)) for key, others in schema["dependentRequired"].items()]

    def holds(value: Any) -> bool:
        return all(key not in value or all(other in value for other in others) for key, others in needs)

    return lambda value: not isinstance(value, dict) or holds(value)


def _dependent_schemas(schema: Schema, _: Within) -> Sieve:
    """Sure only where none of the keys is there that bring a schema with them."""
    keys = tuple(schema["dependentSchemas"])
    return lambda value: not isinstance(value, dict) or not any(key in value for key in keys)


def _one_of(schema: Schema, within: Within) -> Sieve:
    chooser = Chooser(schema["oneOf"])
    if chooser.counts:
        keys = chooser.keys
        return lambda value: not isinstance(value, dict) or sum(key in value for key in keys) == 1
    branches = [within(branch) for branch in schema["oneOf"]]

    def meant(value: Any) -> bool:
        at = chooser.index(value)
        return at is not None and branches[at](value)

    return meant


def _any_of(schema: Schema, within: Within) -> Sieve:
    branches = [within(branch) for branch in schema["anyOf"]]
    return lambda value: any(branch(value) for branch in branches)


def _not(schema: Schema, within: Within) -> Sieve:
    """Of what a sieve tells exactly: that a key is there, or that text is one of several."""
    refused = schema["not"]
    if not isinstance(refused, dict) or not set(refused) <= {"required", "enum"}:
        return _never
    holds = within(refused)
    return lambda value: not holds(value)


def _condition(schema: Schema, within: Within) -> Sieve:
    """Ours only ask whether a key is there."""
    condition = schema["if"]
    if set(condition) != {"required"}:
        return _never
    keys = tuple(condition["required"])
    then, otherwise = within(schema.get("then", True)), within(schema.get("else", True))

    def holds(value: Any) -> bool:
        met = not isinstance(value, dict) or all(key in value for key in keys)
        return then(value) if met else otherwise(value)

    return holds


def _reference(schema: Schema, within: Within) -> Sieve:
    return within(resolve(schema["$ref"]))


def _no_references(_: Schema, __: Within) -> Sieve:
    """What a user wrote as a schema is sure to refer to nothing that is missing where it has no ``$ref``."""

    def free(value: Any) -> bool:
        if isinstance(value, dict):
            return "$ref" not in value and all(map(free, value.values()))
        return not isinstance(value, list) or all(map(free, value))

    return free


PARTS: Mapping[str, Make | None] = {
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
    "items": _array,
    "minItems": _array,
    "maxItems": _array,
    "uniqueItems": _unique,
    "properties": _members,
    "patternProperties": _members,
    "additionalProperties": _members,
    "propertyNames": _names,
    "required": _required,
    "minProperties": _count,
    "maxProperties": _count,
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent_schemas,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "not": _not,
    "if": _condition,
    "$ref": _reference,
    "x-refs": _no_references,
}
