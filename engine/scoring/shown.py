"""Write values as result lines show them: short, on one line, text in quotes."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import UNSET, CodecFault, encode

DETAIL_LIMIT = 200
VALUE_LIMIT = 60
KEPT_LIMIT = 2000

_TYPES = {bool: "boolean", int: "integer", float: "real", str: "text", list: "list", dict: "object", type(None): "null"}


def clip(text: str, limit: int = DETAIL_LIMIT) -> str:
    """The text on one line, cut with an ellipsis at ``limit`` characters."""
    line = " ".join(text.split()) if "\n" in text or "\r" in text or "\t" in text else text
    return line if len(line) <= limit else line[: limit - 1] + "…"


def shown(value: Any, limit: int = VALUE_LIMIT) -> str:
    """``"text"``, ``12``, ``{"a":1}``: a value as JSON writes it, cut at ``limit``."""
    if isinstance(value, str):
        return f'"{clip(value, limit)}"'
    if isinstance(value, Decimal):
        return clip(f"{value:f}" if -30 < value.adjusted() < 30 else str(value), limit)
    return clip(as_json(value), limit)


def shown_all(values: Iterable[Any], most: int = 5, limit: int = 40) -> str:
    """``"a", "b"``: several values, the rest as a count."""
    items = list(values)
    text = ", ".join(shown(item, limit) for item in items[:most])
    return text if len(items) <= most else f"{text} and {len(items) - most} more"


def typed(value: Any) -> str:
    """``12 (integer)``: a value where its type matters."""
    return "null" if value is None else f"{shown(value)} ({_TYPES.get(type(value), type(value).__name__)})"


def as_json(value: Any) -> str:
    """Compact JSON of any plain value; what JSON cannot hold is told as text."""
    try:
        return encode(value).decode()
    except CodecFault:
        return encode(clean_value(value)).decode()


def kept(value: Any) -> Any:
    """A value as a finding keeps it: as it is, or as its cut text where it is large."""
    if value is UNSET or value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return clean_text(value, KEPT_LIMIT)
    if isinstance(value, int) and -(2**63) < value < 2**63:
        return value
    text = as_json(value)
    return clean_value(value) if len(text) <= KEPT_LIMIT else clean_text(text, KEPT_LIMIT)
