"""Import jsonschema where it is first needed: it takes long to load, and sound documents need none of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .problems import KeyPath
from .registry import Schema
from .sieve import sieve
from .wording import Said

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Errors = Iterator["ValidationError"]
Keyword = Callable[[Any, Any, Any, Any], Errors]  # validator, the keyword's value, the instance, the schema


def extended(keywords: Mapping[str, Keyword]) -> Any:
    """jsonschema's validator with our keywords, for which 1.0 is not an integer."""
    from jsonschema import Draft202012Validator, validators

    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    make: Any = validators.extend
    return make(Draft202012Validator, dict(keywords), type_checker=types)


def fault(said: Said, keyword: str, path: KeyPath = (), key: str = "") -> ValidationError:
    """What a keyword finds, in our words; ``key`` is the key that is unknown or missing."""
    from jsonschema.exceptions import ValidationError

    return ValidationError("\0".join(said), validator=keyword, validator_value=key, path=path)


def said(error: ValidationError) -> Said:
    """The words that ``fault`` was given."""
    message, _, remedy = error.message.partition("\0")
    return message, remedy


def descend(validator: Any, value: Any, schema: Schema, key: str | int | None = None) -> Errors:
    """The faults of a member, looked for only where the sieve does not pass it."""
    if not sieve(schema)(value):
        yield from validator.descend(value, schema, path=key)
