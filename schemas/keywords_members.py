"""What is wrong with the members of a mapping or list: unknown and missing keys, and the branch that was meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .branches import Chooser
from .nearest import did_you_mean, nearest
from .registry import Schema, references, resolve
from .validators import Errors, Keyword, descend, fault, said
from .wording import listed, shown, wrong_type


def _reference(validator: Any, reference: str, value: Any, _schema: Schema) -> Errors:
    yield from descend(validator, value, resolve(reference))


def _items(validator: Any, items: Schema, value: Any, _schema: Schema) -> Errors:
    for n, each in enumerate(value if isinstance(value, list) else ()):
        yield from descend(validator, each, items, n)


def _properties(validator: Any, known: Mapping[str, Schema], value: Any, _schema: Schema) -> Errors:
    for key, each in known.items() if isinstance(value, dict) else ():
        if key in value:
            yield from descend(validator, value[key], each, key)


def _additional(validator: Any, others: Schema, value: Any, schema: Schema) -> Errors:
    if not isinstance(value, dict):
        return
    for key in value:
        if _is_known(key, schema):
            continue
        if others is False:
            words = (f"unknown key {shown(key)}", _instead(key, value[key], schema.get("properties", {})))
            yield fault(words, "unknown", key=key)
        else:
            yield from descend(validator, value[key], others, key)


def _instead(key: str, value: Any, known: Mapping[str, Schema]) -> str:
    if value is None and " " in key.strip():
        return "a comma ends a value inside { }: put the whole text in quotes"
    names = [name for name in known if name not in ("$schema", "meta")]
    remedy = did_you_mean(key, names, what="known here")
    comma = value is None and nearest(key, names) is None
    return f"{remedy}; or put the whole text in quotes, if a comma in it stands before this" if comma else remedy


def _names(validator: Any, names: Schema, value: Any, _schema: Schema) -> Errors:
    for key in value if isinstance(value, dict) else ():
        for found in descend(validator, key, names):
            yield fault(said(found), "key", key=key)


def _required(_: Any, keys: list[str], value: Any, schema: Schema) -> Errors:
    if isinstance(value, dict) and not _all_unknown(value, schema):
        for key in keys:
            if key not in value:
                yield fault((f"the key '{key}' is missing", "add it"), "required", key=key)


def _all_unknown(value: Mapping[str, Any], schema: Schema) -> bool:
    """Whether every key is unknown, as in a form that is not ours (yet): to name those keys says enough."""
    if not value or schema.get("additionalProperties") is not False:
        return False
    return not any(_is_known(key, schema) for key in value)


def _is_known(key: str, schema: Schema) -> bool:
    patterns = schema.get("patternProperties", {})
    return key in schema.get("properties", {}) or any(re.search(pattern, key) for pattern in patterns)


def _one_of(validator: Any, branches: list[Schema], value: Any, _schema: Schema) -> Errors:
    chooser = Chooser(branches)
    if chooser.counts:
        yield from _exactly_one(chooser.keys, value)
        return
    at = chooser.index(value)
    if at is not None:
        yield from descend(validator, value, branches[at])
    elif chooser.key and isinstance(value, dict):
        yield _undecided(chooser, value)
    else:
        yield fault(wrong_type(value, chooser.types()), "type")


def _undecided(chooser: Chooser, value: Mapping[str, Any]) -> Any:
    key, names = chooser.key, chooser.known()
    known = ", ".join(name for name in names if not name.startswith(("not-", "trajectory:")))
    if key not in value:
        near = nearest(key, (each for each in value if not chooser.knows(each)))
        if near is not None:
            return fault((f"unknown key {shown(near)}", f"did you mean '{key}'?"), "unknown", key=near)
        return fault((f"the key '{key}' is missing", f"add it: {known}"), "required", key=key)
    told = value[key]
    if not isinstance(told, str):
        return fault(wrong_type(told, ["string"]), "type", (key,))
    near = nearest(told, names)
    remedy = f"did you mean '{near}'?" if near else f"known: {known}"
    return fault((f"unknown {key} {shown(told)}", remedy), "enum", (key,))


def _exactly_one(keys: list[str], value: Any) -> Errors:
    if not isinstance(value, dict):
        return
    found = [key for key in keys if key in value]
    if len(found) > 1:
        yield fault((f"'{found[0]}' and '{found[1]}' cannot stand together", "keep one of them"), "oneOf")
    elif not found:
        yield fault((f"{listed(keys)} is missing", "add one of them"), "required", key=_likest(keys, value))


def _likest(keys: list[str], value: Mapping[str, Any]) -> str:
    """The key that some key of the value is probably a slip for, or else the first."""
    return next(filter(None, (nearest(each, keys) for each in value)), keys[0])


def _any_of(_: Any, branches: list[Schema], value: Any, _schema: Schema) -> Errors:
    """Ours only ask for a key each: at least one is to be there."""
    keys = Chooser(branches).keys
    if isinstance(value, dict) and not any(key in value for key in keys):
        yield fault((f"{listed(keys)} is missing", "add at least one of them"), "required", key=_likest(keys, value))


def _dependent(_: Any, needs: Mapping[str, list[str]], value: Any, _schema: Schema) -> Errors:
    for key, others in needs.items() if isinstance(value, dict) else ():
        for other in others:
            if key in value and other not in value:
                words = (f"'{key}' means nothing without '{other}'", f"add '{other}', or leave '{key}' out")
                yield fault(words, "dependentRequired", (key,))


def _beside(_: Any, schemas: Mapping[str, Schema], value: Any, _schema: Schema) -> Errors:
    """Ours only name keys that cannot stand beside another."""
    for key, each in schemas.items() if isinstance(value, dict) else ():
        for other in each["properties"]:
            if key in value and other in value:
                words = (f"'{other}' cannot stand beside '{key}'", "keep one of them")
                yield fault(words, "dependentSchemas", (other,))


def _references(_: Any, where: str, value: Any, _schema: Schema) -> Errors:
    """What users write as a schema refers to parts of itself only; ``where`` tells what ``#`` is."""
    root = {"properties": value} if where == "properties" else value
    for reference in references(value):
        if reference.startswith("#") and not _leads_somewhere(reference, root):
            words = (f"$ref {shown(reference)} leads nowhere in this schema", "name a part of it, as #/$defs/name")
            yield fault(words, "x-refs")


def _leads_somewhere(reference: str, root: Any) -> bool:
    seen: set[str] = set()
    while reference not in seen:
        seen.add(reference)
        node = _part(reference, root)
        if not isinstance(node, dict) or "$ref" not in node:
            return isinstance(node, dict | bool)
        reference = node["$ref"] if isinstance(node["$ref"], str) else ""
    return False


def _part(reference: str, root: Any) -> Any:
    head, *steps = reference.split("/")
    node = root if head == "#" else None
    for step in steps:
        key = step.replace("~1", "/").replace("~0", "~")
        node = node.get(key) if isinstance(node, dict) else None
    return node


MEMBER_KEYWORDS: Mapping[str, Keyword] = {
    "$ref": _reference,
    "items": _items,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "required": _required,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "dependentRequired": _dependent,
    "dependentSchemas": _beside,
    "x-refs": _references,
}
