"""Tell in little time that a value is surely sound, so that jsonschema looks only at what may not be.

A sieve answers True only where jsonschema finds no fault; False means "ask jsonschema". It is compiled once from the
same schema, with each ``$ref`` resolved once and each ``oneOf`` dispatched on the key that tells its branches apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .branches import Chooser
from .formats import FORMATS
from .registry import Schema, resolve

Sieve = Callable[[Any], bool]

ANNOTATIONS = frozenset(("$schema", "title", "description", "$defs", "x-says", "x-says-count"))
_compiled: dict[int, tuple[Schema, Sieve]] = {}


def sieve(schema: Schema) -> Sieve:
    """The sieve of a schema of ours (compiled once)."""
    known = _compiled.get(id(schema))
    if known is None:
        known = _compiled[id(schema)] = (schema, _compile(schema))
    return known[1]


def _sound(_: Any) -> bool:
    return True


def _unsure(_: Any) -> bool:
    return False


def _later(schema: Schema) -> Sieve:
    """A sieve that is compiled when it is first asked, since schemas refer to themselves."""
    found: list[Sieve] = []

    def ask(value: Any) -> bool:
        if not found:
            found.append(sieve(schema))
        return found[0](value)

    return ask


def _compile(schema: Schema) -> Sieve:
    if isinstance(schema, bool):
        return _sound if schema else _unsure
    parts: list[Sieve] = []
    for keyword in schema:
        if keyword in ANNOTATIONS or keyword in _WITH_OBJECT or keyword in ("then", "else"):
            continue
        make = _KEYWORDS.get(keyword)
        if make is None:
            return _unsure
        parts.append(make(schema))
    if schema.keys() & _WITH_OBJECT:
        parts.append(_object(schema))
    return _all(parts)


def _all(parts: list[Sieve]) -> Sieve:
    if not parts:
        return _sound
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts
        return lambda value: first(value) and second(value)
    return lambda value: all(part(value) for part in parts)


_TYPES: Mapping[str, Sieve] = {
    "string": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: value is True or value is False,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def _type(schema: Schema) -> Sieve:
    return _TYPES[schema["type"]] if isinstance(schema["type"], str) else _unsure


def _enum(schema: Schema) -> Sieve:
    values = schema["enum"]
    if not all(isinstance(value, str) for value in values):
        return lambda value: any(type(value) is type(each) and value == each for each in values)
    allowed = frozenset(values)
    return lambda value: isinstance(value, str) and value in allowed


def _pattern(schema: Schema) -> Sieve:
    search = re.compile(python_pattern(schema["pattern"])).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def python_pattern(pattern: str) -> str:
    r"""A pattern of ours for ``re``: there ``$`` also matches before a final line break, in JSON Schema it does not."""
    return pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") and not pattern.endswith(r"\$") else pattern


def _length(schema: Schema) -> Sieve:
    least, most = schema.get("minLength", 0), schema.get("maxLength", float("inf"))
    return lambda value: not isinstance(value, str) or least <= len(value) <= most


def _format(schema: Schema) -> Sieve:
    holds = FORMATS.get(schema["format"], _sound)
    return lambda value: not isinstance(value, str) or holds(value)


def _bounds(schema: Schema) -> Sieve:
    least, most = schema.get("minimum"), schema.get("maximum")
    above = schema.get("exclusiveMinimum")

    def within(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return True
        return (least is None or value >= least) and (most is None or value <= most) and (above is None or value > above)

    return within


def _array(schema: Schema) -> Sieve:
    least, item = schema.get("minItems", 0), _later(schema["items"]) if "items" in schema else _sound
    return lambda value: not isinstance(value, list) or (len(value) >= least and all(map(item, value)))


def _unique(schema: Schema) -> Sieve:
    def distinct(value: Any) -> bool:
        if not isinstance(value, list):
            return True
        return all(isinstance(each, str) for each in value) and len(set(value)) == len(value)

    return distinct


def _required(schema: Schema) -> Sieve:
    keys = tuple(schema["required"])
    return lambda value: not isinstance(value, dict) or all(key in value for key in keys)


def _count(schema: Schema) -> Sieve:
    least, most = schema.get("minProperties", 0), schema.get("maxProperties", float("inf"))
    return lambda value: not isinstance(value, dict) or least <= len(value) <= most


_WITH_OBJECT = frozenset(("properties", "patternProperties", "additionalProperties"))


def _object(schema: Schema) -> Sieve:
    known = {key: _later(each) for key, each in schema.get("properties", {}).items()}
    patterns = [(re.compile(python_pattern(key)).search, _later(each)) for key, each in schema.get("patternProperties", {}).items()]
    others = schema.get("additionalProperties", True)
    other = _later(others)

    def holds(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        for key, each in value.items():
            at = known.get(key)
            matched = at is not None and not at(each)
            if matched:
                return False
            met = at is not None
            for search, pattern_sieve in patterns:
                if search(key):
                    met = True
                    if not pattern_sieve(each):
                        return False
            if not met and not other(each):
                return False
        return True

    return holds


def _names(schema: Schema) -> Sieve:
    name = _later(schema["propertyNames"])
    return lambda value: not isinstance(value, dict) or all(map(name, value))


def _one_of(schema: Schema) -> Sieve:
    chooser = Chooser(schema["oneOf"])
    if chooser.counts:
        keys = chooser.keys
        return lambda value: not isinstance(value, dict) or sum(key in value for key in keys) == 1
    sieves = [_later(branch) for branch in schema["oneOf"]]

    def one(value: Any) -> bool:
        at = chooser.index(value)
        return at is not None and sieves[at](value)

    return one


def _any_of(schema: Schema) -> Sieve:
    sieves = [_later(branch) for branch in schema["anyOf"]]
    return lambda value: any(each(value) for each in sieves)


def _condition(schema: Schema) -> Sieve:
    condition = schema["if"]
    if set(condition) != {"required"}:
        return _unsure
    keys = tuple(condition["required"])
    then, otherwise = _later(schema.get("then", True)), _later(schema.get("else", True))

    def branch(value: Any) -> bool:
        met = not isinstance(value, dict) or all(key in value for key in keys)
        return then(value) if met else otherwise(value)

    return branch


def _absent(keyword: str) -> Callable[[Schema], Sieve]:
    """Sure only where none of the keys that the keyword is about is there."""

    def make(schema: Schema) -> Sieve:
        keys = tuple(schema[keyword])
        return lambda value: not isinstance(value, dict) or not any(key in value for key in keys)

    return make


def _dependent(schema: Schema) -> Sieve:
    needs = schema["dependentRequired"]
    return lambda value: not isinstance(value, dict) or all(
        key not in value or all(other in value for other in others) for key, others in needs.items()
    )


def _reference(schema: Schema) -> Sieve:
    return _later(resolve(schema["$ref"]))


def _no_references(schema: Schema) -> Sieve:
    """What users write as a schema is sound in its references where it has none."""

    def free(value: Any) -> bool:
        if isinstance(value, dict):
            return "$ref" not in value and all(map(free, value.values()))
        return not isinstance(value, list) or all(map(free, value))

    return free


_KEYWORDS: Mapping[str, Callable[[Schema], Sieve]] = {
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "format": _format,
    "minLength": _length,
    "maxLength": _length,
    "minimum": _bounds,
    "maximum": _bounds,
    "exclusiveMinimum": _bounds,
    "items": _array,
    "minItems": _array,
    "uniqueItems": _unique,
    "required": _required,
    "minProperties": _count,
    "maxProperties": _count,
    "propertyNames": _names,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "if": _condition,
    "dependentRequired": _dependent,
    "dependentSchemas": _absent("dependentSchemas"),
    "$ref": _reference,
    "x-refs": _no_references,
}
