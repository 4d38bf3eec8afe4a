"""Judge a value by a JSON Schema that a user wrote: strict formats, guarded patterns, and never the network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from .codec import canonical, decode
from .errors import PatternFault
from .formats import FORMATS, MEANINGS
from .patterns import search
from .problems import dotted

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Errors = Iterator["ValidationError"]
Schema = Mapping[str, Any] | bool

MESSAGE_LIMIT = 200


class SchemaFault(Exception):
    """The schema itself cannot be used (a ``$ref`` that leads nowhere, a pattern that took too long)."""


def schema_judge(schema: Schema) -> Callable[[Any], list[str]]:
    """A function that tells every fault of a value as ``place: what is wrong``; made once, used often.

    It raises SchemaFault where the schema cannot be used. ``$ref`` reaches into the schema itself and nowhere else.
    """
    from referencing import Registry  # see _validator

    validator = _validator()(schema, registry=Registry())

    def judge(value: Any) -> list[str]:
        try:
            errors = sorted(validator.iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path])
            return [_told(error) for error in errors]
        except PatternFault as fault:
            raise SchemaFault(str(fault)) from None
        except RecursionError:
            raise SchemaFault("the schema or the value is nested too deeply") from None
        except Exception as error:  # noqa: BLE001 - jsonschema raises what it likes for a schema that is none
            raise SchemaFault(f"the schema cannot be used: {type(error).__name__}: {error}"[:MESSAGE_LIMIT]) from None

    return judge


def schema_faults(schema: Schema, value: Any) -> list[str]:
    """Every fault of ``value`` by a schema that is met again and again. Raises SchemaFault, CodecFault."""
    return _kept(canonical(schema))(value)


@lru_cache(maxsize=64)
def _kept(schema: bytes) -> Callable[[Any], list[str]]:
    return schema_judge(decode(schema))


@cache
def _validator() -> type[Validator]:
    from jsonschema import Draft202012Validator, validators  # takes long to import, and few packs need it

    made: type[Validator] = validators.extend(Draft202012Validator, _KEYWORDS)  # type: ignore[no-untyped-call]
    return made


def _error(message: str) -> ValidationError:
    from jsonschema.exceptions import ValidationError  # see _validator

    return ValidationError(message)


def _told(error: ValidationError) -> str:
    place = dotted(tuple(error.absolute_path))
    message = error.message if len(error.message) <= MESSAGE_LIMIT else f"{error.message[: MESSAGE_LIMIT - 1]}…"
    return f"{place}: {message}" if place else message


def _pattern(_: Validator, pattern: str, value: Any, __: Any) -> Errors:
    if isinstance(value, str) and search(pattern, value) is None:
        yield _error(f"{value[:80]!r} does not match {pattern[:80]!r}")


def _format(_: Validator, name: str, value: Any, __: Any) -> Errors:
    if isinstance(value, str) and name in FORMATS and not FORMATS[name](value):
        yield _error(f"{value[:80]!r} {MEANINGS[name][0]}")


def _pattern_properties(validator: Validator, patterns: Mapping[str, Any], value: Any, _: Any) -> Errors:
    if isinstance(value, Mapping):
        for pattern, schema in patterns.items():
            for key, member in value.items():
                if search(pattern, key):
                    yield from validator.descend(member, schema, path=key, schema_path=pattern)  # type: ignore[attr-defined]


def _additional(validator: Validator, others: Any, value: Any, schema: Mapping[str, Any]) -> Errors:
    if not isinstance(value, Mapping):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for key in [key for key in value if key not in known and not any(search(pattern, key) for pattern in patterns)]:
        if others is False:
            yield _error(f"{key[:80]!r} is not known here; known: {', '.join(known) or 'nothing'}")
        else:
            yield from validator.descend(value[key], others, path=key)  # type: ignore[attr-defined]


_KEYWORDS: Mapping[str, Any] = {
    "pattern": _pattern,
    "format": _format,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
}
