"""Let jsonschema judge a value by one of our schemas; it finds faults in our words, of the branch that was meant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from .keywords import VALUE_KEYWORDS
from .keywords_members import MEMBER_KEYWORDS
from .problems import KeyPath
from .registry import Schema
from .sieve import sieve
from .validators import extended, said


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeFault:
    """A fault at ``path``. ``keyword`` is the schema's, or "unknown" or "key"; ``key`` is unknown, unfit or missing."""

    path: KeyPath
    keyword: str
    message: str
    remedy: str
    key: str = ""


def judge(value: Any, schema: Schema) -> list[ShapeFault]:
    """Every fault of ``value`` by ``schema``, one of ours (its references name files of the registry)."""
    if sieve(schema)(value):
        return []
    return [_fault(error) for error in _validator()(schema).iter_errors(value)]


@cache
def _validator() -> Any:
    return extended({**VALUE_KEYWORDS, **MEMBER_KEYWORDS})


def _fault(error: Any) -> ShapeFault:
    message, remedy = said(error)
    return ShapeFault(
        path=tuple(error.absolute_path),
        keyword=str(error.validator),
        message=message,
        remedy=remedy,
        key=error.validator_value,
    )
