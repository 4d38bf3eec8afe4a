"""Tell in little time that a value is surely sound, so that jsonschema looks only at what may not be.

A sieve answers True only where jsonschema finds no fault; False means "ask jsonschema". It is compiled once from the
same schema, with each ``$ref`` resolved once and each ``oneOf`` dispatched on the key that tells its branches apart.
"""

from __future__ import annotations

from typing import Any

from .registry import Schema
from .sieve_members import MEMBER_PARTS
from .sieve_parts import VALUE_PARTS, Make, Sieve

PARTS: dict[str, Make | None] = {**VALUE_PARTS, **MEMBER_PARTS}
_compiled: dict[int, tuple[Schema, Sieve]] = {}
_begun: set[int] = set()


def sieve(schema: Schema) -> Sieve:
    """The sieve of a schema of ours (compiled once)."""
    known = _compiled.get(id(schema))
    if known is None:
        _begun.add(id(schema))
        known = _compiled[id(schema)] = (schema, _compile(schema))
        _begun.discard(id(schema))
    return known[1]


def _within(schema: Schema) -> Sieve:
    """The sieve of a part; one that holds itself, as a check may, is looked up when it is asked."""
    if id(schema) not in _begun:
        return sieve(schema)
    return lambda value: sieve(schema)(value)  # noqa: PLW0108 - not made yet


def _compile(schema: Schema) -> Sieve:
    if isinstance(schema, bool):
        return lambda _: schema
    if any(keyword not in PARTS for keyword in schema):
        return lambda _: False
    makes = dict.fromkeys(make for keyword in schema if (make := PARTS[keyword]) is not None)
    return _all([make(schema, _within) for make in makes])


def _all(checks: list[Sieve]) -> Sieve:
    if not checks:
        return lambda _: True
    if len(checks) == 1:
        return checks[0]
    if len(checks) == 2:
        first, second = checks
        return lambda value: first(value) and second(value)

    def every(value: Any) -> bool:
        for check in checks:  # noqa: SIM110 - a third quicker than all()
            if not check(value):
                return False
        return True

    return every
