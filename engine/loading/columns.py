"""Give each cell of a table its column's type, or say why it has none."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...schemas.documents import Inert
from ...schemas.templates import is_template
from .node import inert
from .strict_json import decode

_INTEGER = re.compile(r"[+-]?[0-9]{1,19}\Z")
_REAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
_LARGEST = 2**63
_MEANT = {
    "text": "text",
    "integer": "a whole number of 64 bits",
    "real": "a number",
    "flag": "true or false",
    "json": "any plain value",
}


class CellFault(Exception):
    """A cell that its column cannot hold; the text says what the column holds."""


def check_cell(value: Any, column_type: str) -> None:
    """Raise CellFault where a value cannot stand in a column of this type; null and templates can."""
    if value is None or (isinstance(value, str) and is_template(value)) or _FITS[column_type](value):
        return
    raise CellFault(f"{_shown(value)} stands in a column of type {column_type}, which holds {_MEANT[column_type]}")


def csv_cell(text: str, column_type: str) -> Any:
    """Read a CSV cell by its column's type. Raises CellFault."""
    if column_type == "text":
        return Inert(text)
    if not text.strip():
        raise CellFault(f"an empty cell stands in a column of type {column_type}, which holds {_MEANT[column_type]}")
    value = _READ[column_type](text)
    if not _FITS[column_type](value):
        raise CellFault(f"{_shown(text)} stands in a column of type {column_type}, which holds {_MEANT[column_type]}")
    return value


def inferred(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The columns of undeclared rows, by what they hold. Raises CellFault where a column holds two types."""
    columns: dict[str, str | None] = {}
    for row in rows:
        for name, value in row.items():
            found, now = columns.get(name), _type_of(value)
            if found and now and found != now:
                if {found, now} != {"integer", "real"}:
                    raise CellFault(f"column '{name}' holds {found} and {now}")
                now = "real"
            columns[name] = now or found
    return {name: found or "text" for name, found in columns.items()}


def _type_of(value: Any) -> str | None:
    if value is None:
        return None
    for name, kind in (("flag", bool), ("integer", int), ("real", float), ("text", str)):
        if isinstance(value, kind):
            return name
    return "json"


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_LARGEST <= value < _LARGEST


def _is_real(value: Any) -> bool:
    return _is_integer(value) or (isinstance(value, float) and math.isfinite(value))


_FITS: Mapping[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "real": _is_real,
    "flag": lambda value: isinstance(value, bool),
    "json": lambda _: True,
}


def _read_json(text: str) -> Any:
    try:
        return inert(decode(text))
    except ValueError as error:
        raise CellFault(f"{_shown(text)} stands in a column of type json, and is not JSON: {error}") from None


_READ: Mapping[str, Callable[[str], Any]] = {
    "integer": lambda text: int(text) if _INTEGER.match(text) else None,
    "real": lambda text: float(text) if _REAL.match(text) else None,
    "flag": {"true": True, "false": False}.get,
    "json": _read_json,
}


def _shown(value: Any) -> str:
    text = repr(str(value)) if isinstance(value, str) else json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"
