"""JSON from data files, strictly: no NaN, no key twice, no half surrogates, no bottomless nesting."""

from __future__ import annotations

import json
import math
from typing import Any

DEEPEST = 64
NotJson = json.JSONDecodeError
MOST_DIGITS = 400


def decode_at(text: str, at: int) -> tuple[Any, int]:
    """The value that begins at ``at``, and where it ends. Raises ValueError (JSONDecodeError with its line)."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    check_depth(value)
    if "\\u" in text[at:end]:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError(r"holds half of a surrogate pair, which is no text") from None
    return value, end


def decode(text: str) -> Any:
    """The one value that a text holds. Raises ValueError."""
    start = len(text) - len(text.lstrip(" \t\r\n"))
    value, end = decode_at(text, start)
    if text[end:].strip(" \t\r\n"):
        raise ValueError("holds text after the value")
    return value


def check_depth(value: Any) -> None:
    """Raises ValueError where a value is nested deeper than ``DEEPEST``."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            member
            for holder in level
            if isinstance(holder, dict | list)
            for member in (holder.values() if isinstance(holder, dict) else holder)
        ]
        if not level:
            return
    raise ValueError(f"is nested deeper than {DEEPEST}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"holds the key '{key}' twice in one object")
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"holds a number of {len(digits)} digits")
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"holds {digits[:40]}, which is out of range")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"holds {constant}, which is no JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_float=_real, parse_constant=_refuse)
