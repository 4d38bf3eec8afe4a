"""Let jsonschema judge a value by one of our schemas; what it finds are faults in our words, of the branch that was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from .branches import Chooser
from .registry import Schema, references, resolve
from .formats import FORMATS, MEANINGS
from .nearest import did_you_mean
from .problems import KeyPath
from .sieve import python_pattern, sieve
from .wording import Said, listed, out_of_bounds, shown, wrong_type

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Errors = Iterator["ValidationError"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeFault:
    """A fault at ``path``. ``keyword`` is the schema's; ``key`` is a key that is unknown or missing there."""

    path: KeyPath
    keyword: str
    message: str
    remedy: str
    key: str = ""


def judge(value: Any, schema: Schema) -> list[ShapeFault]:
    """Every fault of ``value`` by ``schema``, one of ours (its references name files of the catalog)."""
    if sieve(schema)(value):
        return []
    return [_fault(error) for error in _validator()(schema).iter_errors(value)]


def _fault(error: ValidationError) -> ShapeFault:
    message, _, remedy = error.message.partition("\0")
    keyword = str(error.validator)
    key = error.validator_value if keyword in ("unknown", "required") else ""
    return ShapeFault(path=tuple(error.absolute_path), keyword=keyword, message=message, remedy=remedy, key=str(key))


@cache
def _validator() -> type[Validator]:
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415  takes long to import, and sound documents need none

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    made: type[Validator] = validators.extend(Draft202012Validator, _KEYWORDS, type_checker=types)
    return made


def _error(said: Said, keyword: str, path: KeyPath = (), value: Any = None) -> ValidationError:
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415  see _validator

    return ValidationError("\0".join(said), validator=keyword, validator_value=value, path=path)


def _descend(validator: Validator, value: Any, schema: Schema, key: str | int | None = None) -> Errors:
    if not sieve(schema)(value):
        yield from validator.descend(value, schema, path=key)  # type: ignore[attr-defined]


# -- one generator a keyword


def _reference(validator: Validator, reference: str, value: Any, _: Schema) -> Errors:
    yield from _descend(validator, value, resolve(reference))


def _properties(validator: Validator, known: dict[str, Schema], value: Any, schema: Schema) -> Errors:
    if isinstance(value, dict):
        for key, each in known.items():
            if each is False and key in value:
                yield _error(("it cannot stand here", "leave it out"), "unknown", (), key)
            elif key in value:
                yield from _descend(validator, value[key], each, key)


def _additional(validator: Validator, others: Schema, value: Any, schema: Schema) -> Errors:
    if not isinstance(value, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key in value:
        if key in known or any(re.search(pattern, key) for pattern in patterns):
            continue
        if others is False:
            yield _error((f"unknown key {shown(key)}", _unknown(key, value[key], known)), "unknown", (), key)
        else:
            yield from _descend(validator, value[key], others, key)


def _unknown(key: str, value: Any, known: dict[str, Schema]) -> str:
    if value is None and " " in key.strip():
        return "a comma ends a value inside { }: put the whole text in quotes"
    names = [name for name, each in known.items() if each is not False and name != "$schema"]
    return did_you_mean(key, names, what="known here")


def _names(validator: Validator, names: Schema, value: Any, _: Schema) -> Errors:
    if isinstance(value, dict):
        for key in value:
            for error in _descend(validator, key, names):
                yield _error(_said(error), "key", (), key)


def _said(error: ValidationError) -> Said:
    message, _, remedy = error.message.partition("\0")
    return message, remedy


def _required(_: Validator, keys: list[str], value: Any, schema: Schema) -> Errors:
    if isinstance(value, dict):
        for key in keys:
            if key not in value:
                yield _error((f"the key '{key}' is missing", "add it"), "required", (), key)


def _type(_: Validator, kinds: str | list[str], value: Any, schema: Schema) -> Errors:
    expected = [kinds] if isinstance(kinds, str) else kinds
    if not any(_validator().TYPE_CHECKER.is_type(value, kind) for kind in expected):
        yield _error(wrong_type(value, expected), "type")


def _enum(_: Validator, allowed: list[Any], value: Any, schema: Schema) -> Errors:
    if any(type(value) is type(each) and value == each for each in allowed):
        return
    if not isinstance(value, str):
        if "type" not in schema or _is(value, schema["type"]):
            yield _error((f"{shown(value)} is not one of the values known here", f"write {listed([shown(each) for each in allowed])}"), "enum")
        return
    yield _error((f"{shown(value)} is not known here", did_you_mean(value, map(str, allowed), what="known")), "enum")


def _is(value: Any, kind: str) -> bool:
    return _validator().TYPE_CHECKER.is_type(value, kind)


def _pattern(_: Validator, pattern: str, value: Any, schema: Schema) -> Errors:
    if isinstance(value, str) and re.search(python_pattern(pattern), value) is None:
        yield _error((f"{shown(value)} {schema.get('x-says', 'has the wrong form')}", "write it so"), "pattern")


def _format(_: Validator, name: str, value: Any, schema: Schema) -> Errors:
    if isinstance(value, str) and name in FORMATS and not FORMATS[name](value):
        message, remedy = MEANINGS[name]
        yield _error((f"{shown(value)} {message}", remedy), "format")


def _max_length(_: Validator, most: int, value: Any, schema: Schema) -> Errors:
    if isinstance(value, str) and len(value) > most:
        yield _error((f"{shown(value)} is longer than {most} characters", "shorten it"), "maxLength")


def _min_length(_: Validator, least: int, value: Any, schema: Schema) -> Errors:
    if isinstance(value, str) and len(value) < least:
        yield _error(("the text is empty", "write it, or leave the key out"), "minLength")


def _min_entries(_: Validator, least: int, value: Any, schema: Schema) -> Errors:
    if isinstance(value, list | dict) and len(value) < least:
        said = schema.get("x-says-count") or ("it is empty" if least == 1 else f"it holds fewer than {least} entries")
        yield _error((said, "give it at least one entry" if least == 1 else "add more"), "minItems")


def _max_entries(_: Validator, most: int, value: Any, schema: Schema) -> Errors:
    if isinstance(value, list | dict) and len(value) > most:
        said = schema.get("x-says-count") or f"it holds more than {most} entries"
        yield _error((said, "leave the others out"), "maxItems")


def _unique(_: Validator, wanted: bool, value: Any, schema: Schema) -> Errors:
    if isinstance(value, list) and wanted:
        for n, each in enumerate(value):
            if isinstance(each, str) and each in value[:n]:
                yield _error((f"{shown(each)} stands twice in the list", "keep one of them"), "uniqueItems", (n,))


def _bound(keyword: str) -> Any:
    def check(_: Validator, limit: float, value: Any, schema: Schema) -> Errors:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        outside = {
            "minimum": value < limit,
            "maximum": value > limit,
            "exclusiveMinimum": value <= limit,
            "exclusiveMaximum": value >= limit,
        }
        if outside[keyword]:
            yield _error(out_of_bounds(value, keyword, limit), keyword)

    return check


def _items(validator: Validator, items: Schema, value: Any, _: Schema) -> Errors:
    if isinstance(value, list):
        for n, each in enumerate(value):
            yield from _descend(validator, each, items, n)


def _one_of(validator: Validator, branches: list[Schema], value: Any, schema: Schema) -> Errors:
    chooser = Chooser(branches)
    if chooser.counts:
        yield from _exactly_one(chooser, value)
        return
    at = chooser.index(value)
    if at is not None:
        yield from _descend(validator, value, branches[at])
    elif chooser.key and isinstance(value, dict):
        yield from _undecided(chooser, value)
    else:
        yield _error(wrong_type(value, chooser.types()), "type")


def _undecided(chooser: Chooser, value: dict[str, Any]) -> Errors:
    key = chooser.key
    if key not in value:
        yield _error((f"the key '{key}' is missing", f"add it: {listed(chooser.known()[:8])}, ..."), "required", (), key)
    elif not isinstance(value[key], str):
        yield _error(wrong_type(value[key], ["string"]), "type", (key,))
    else:
        yield _error((f"unknown {key} {shown(value[key])}", did_you_mean(value[key], chooser.known())), "enum", (key,))


def _exactly_one(chooser: Chooser, value: Any) -> Errors:
    if not isinstance(value, dict):
        return
    found = [key for key in chooser.keys if key in value]
    if len(found) > 1:
        yield _error((f"'{found[0]}' and '{found[1]}' cannot stand together", "keep one of them"), "oneOf")
    elif not found:
        yield _error((f"one of {listed(chooser.keys)} is missing", "add it"), "required", (), chooser.keys[0])


def _any_of(validator: Validator, branches: list[Schema], value: Any, schema: Schema) -> Errors:
    """Ours only ask for a key each: at least one is to be there."""
    keys = Chooser(branches).keys
    if isinstance(value, dict) and not any(key in value for key in keys):
        yield _error((f"at least one of {listed(keys)} is missing", "add it"), "required", (), keys[0])


def _dependent(_: Validator, needs: dict[str, list[str]], value: Any, schema: Schema) -> Errors:
    for key, others in needs.items():
        for other in others:
            if isinstance(value, dict) and key in value and other not in value:
                yield _error((f"'{key}' has no meaning without '{other}'", f"add '{other}', or leave '{key}' out"), "dependentRequired", (key,))


def _beside(_: Validator, schemas: dict[str, Schema], value: Any, schema: Schema) -> Errors:
    for key, each in schemas.items():
        for other in each["properties"]:
            if isinstance(value, dict) and key in value and other in value:
                yield _error((f"it cannot stand beside '{key}'", "keep one of them"), "dependentSchemas", (other,))


def _references(_: Validator, where: str, value: Any, schema: Schema) -> Errors:
    root = {"properties": value} if where == "properties" else value
    for reference in references(value):
        if not _leads_somewhere(reference, root):
            yield _error((f"$ref {shown(reference)} leads nowhere in this schema", "name a part of it, as #/$defs/name"), "$ref")


def _leads_somewhere(reference: str, root: Any) -> bool:
    node = root
    for step in reference.removeprefix("#").split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, dict) or step not in node:
            return False
        node = node[step]
    return isinstance(node, dict | bool) and reference.startswith(("#/", "#")) and (reference == "#" or reference[1] == "/")


_KEYWORDS: dict[str, Any] = {
    "$ref": _reference,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "required": _required,
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "format": _format,
    "maxLength": _max_length,
    "minLength": _min_length,
    "minItems": _min_entries,
    "minProperties": _min_entries,
    "maxItems": _max_entries,
    "maxProperties": _max_entries,
    "uniqueItems": _unique,
    "minimum": _bound("minimum"),
    "maximum": _bound("maximum"),
    "exclusiveMinimum": _bound("exclusiveMinimum"),
    "items": _items,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "dependentRequired": _dependent,
    "dependentSchemas": _beside,
    "x-refs": _references,
}
