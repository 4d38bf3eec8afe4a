"""What a keyword asks of the members of a mapping or list, as a quick test that may doubt but never wrongly agrees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .branches import Chooser
from .registry import Schema, resolve
from .sieve_parts import Make, Sieve, Within, never


def _array(schema: Schema, within: Within) -> Sieve:
    least, most = schema.get("minItems", 0), schema.get("maxItems", float("inf"))
    item = within(schema.get("items", True))
    return lambda value: not isinstance(value, list) or (least <= len(value) <= most and all(map(item, value)))


def _members(schema: Schema, within: Within) -> Sieve:
    """No key of ours is both a property and met by a pattern."""
    known = {key: within(each) for key, each in schema.get("properties", {}).items()}
    patterns = [(re.compile(key).search, within(each)) for key, each in schema.get("patternProperties", {}).items()]
    other = within(schema.get("additionalProperties", True))

    def holds(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        for key, each in value.items():
            met = known.get(key)
            if met is None:
                tests = [test for search, test in patterns if search(key)] or [other]
                if not all(test(each) for test in tests):
                    return False
            elif not met(each):
                return False
        return True

    return holds


def _names(schema: Schema, within: Within) -> Sieve:
    name = within(schema["propertyNames"])
    return lambda value: not isinstance(value, dict) or all(map(name, value))


def _dependent(schema: Schema, _: Within) -> Sieve:
    needs = [(key, tuple(others)) for key, others in schema["dependentRequired"].items()]

    def holds(value: Any) -> bool:
        return all(key not in value or all(other in value for other in others) for key, others in needs)

    return lambda value: not isinstance(value, dict) or holds(value)


def _dependent_schemas(schema: Schema, within: Within) -> Sieve:
    brought = [(key, within(each)) for key, each in schema["dependentSchemas"].items()]
    return lambda value: not isinstance(value, dict) or all(test(value) for key, test in brought if key in value)


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
        return never
    holds = within(refused)
    return lambda value: not holds(value)


def _condition(schema: Schema, within: Within) -> Sieve:
    """Ours only ask whether a key is there."""
    condition = schema["if"]
    if set(condition) != {"required"}:
        return never
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


MEMBER_PARTS: Mapping[str, Make] = {
    "items": _array,
    "minItems": _array,
    "maxItems": _array,
    "properties": _members,
    "patternProperties": _members,
    "additionalProperties": _members,
    "propertyNames": _names,
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent_schemas,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "not": _not,
    "if": _condition,
    "$ref": _reference,
    "x-refs": _no_references,
}
