"""Read a plain scalar as YAML 1.2 core does, narrowed: only ``true``, ``false``, ``null`` and plain decimal numbers."""

from __future__ import annotations

import re
from typing import Any

WORDS: dict[str, Any] = {"": None, "null": None, "true": True, "false": False}
FIRST = frozenset("-+.0123456789tfn")
MOST_DIGITS = 19
TAGS = {f"tag:yaml.org,2002:{name}": name for name in ("str", "int", "float", "bool", "null", "map", "seq")}

_TAGGED: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_REAL = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


class ScalarFault(Exception):
    """A plain scalar that stands for no value we take; the arguments are what is wrong and what to do."""


def resolve(text: str) -> Any:
    """The value of a plain scalar: None, bool, int, float, or the text itself. Raises ScalarFault."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in FIRST:
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _NOT_FINITE.fullmatch(text):
        raise ScalarFault(f"{text} is not a finite number", "write a number, or put it in quotes if it is text")
    if _REAL.fullmatch(text):
        return _real(text)
    return text


def resolve_tagged(text: str, kind: str) -> Any:
    """The value of a scalar that carries the core tag ``kind``. Raises ScalarFault."""
    if kind == "str":
        return text
    value = resolve(text)
    if type(value) not in _TAGGED.get(kind, ()):
        raise ScalarFault(f"{text[:40]!r} is not what its tag !!{kind} says", "leave the tag out")
    return float(value) if kind == "float" else value


def _integer(text: str) -> int:
    digits = len(text.lstrip("+-"))
    number = int(text) if digits <= MOST_DIGITS else 1 << 63
    if not -(1 << 63) <= number < 1 << 63:
        raise ScalarFault(f"a number of {digits} digits is too large", "put it in quotes if it is text")
    return number


def _real(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ScalarFault(f"{text[:40]} is too large a number", "put it in quotes if it is text")
    return number
