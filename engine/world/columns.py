"""A column is text, integer, real, flag or json: what it holds, and how SQLite keeps it."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from ...schemas.codec import CodecFault, decode, encode
from .faults import SqlFault

# A json column is declared ANY and no other is, so that a result column that is one is known by its declared type.
_STORED_AS = {"text": "TEXT", "integer": "INTEGER", "real": "REAL", "flag": "INTEGER", "json": "ANY"}
_HOLDS = {
    "text": "text",
    "integer": "a whole number of 64 bits",
    "real": "a number",
    "flag": "true or false",
    "json": "JSON",
}
_CHECKS = {
    "flag": "{column} IN (0, 1)",
    "json": "{column} IS NULL OR typeof({column}) = 'text' AND json_valid({column})",
}
_INTEGERS = range(-(2**63), 2**63)


def quoted(name: str) -> str:
    """A name as SQL takes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def create_table(name: str, columns: Mapping[str, str]) -> str:
    """The statement that makes a STRICT table; a value that a column cannot hold is refused by name."""
    return f"CREATE TABLE {quoted(name)} ({', '.join(map(_declared, columns.items()))}) STRICT"


def _declared(column: tuple[str, str]) -> str:
    name, type_ = column
    declared = f"{quoted(name)} {_STORED_AS[type_]}"
    if type_ in _CHECKS:
        constraint = quoted(f"{name} holds {_HOLDS[type_]}")
        declared += f" CONSTRAINT {constraint} CHECK ({_CHECKS[type_].format(column=quoted(name))})"
    return declared


def insert_into(name: str, columns: Mapping[str, str]) -> str:
    """The statement that adds one row, its cells in the order of the columns."""
    return f"INSERT INTO {quoted(name)} VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - quoted


def cell_fault(type_: str, value: object) -> str | None:
    """Why a column of this type cannot hold the value, or None. Every column may hold null."""
    try:
        encode_cell(type_, value)
    except SqlFault as fault:
        return str(fault)
    return None


def encode_cell(type_: str, value: Any) -> Any:
    """The value as SQLite keeps it. Raises SqlFault where the column cannot hold it."""
    if value is None:
        return None
    encoded = _ENCODE[type_](value)
    if encoded is None:
        raise SqlFault(f"holds {_HOLDS[type_]}, not {_shown(value)}")
    return encoded


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, str) else None


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value in _INTEGERS else None


def _real(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1.8e308 or value != value:
        return None
    return float(value)


def _flag(value: Any) -> int | None:
    return int(value) if isinstance(value, bool) else None


def json_text(value: Any) -> str | None:
    """The value as JSON, or None where JSON has no form for it."""
    try:
        return encode(value).decode()
    except CodecFault:
        return None


_ENCODE: Mapping[str, Callable[[Any], Any]] = {
    "text": _text,
    "integer": _integer,
    "real": _real,
    "flag": _flag,
    "json": json_text,
}


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text {str(value)!r:.60}"
    if isinstance(value, int | float):
        return f"the number {value!r:.60}"
    return f"a value of type {type(value).__name__}"


def from_json(data: bytes) -> Any:
    """What a json column holds; a text that cannot be read back stays the text it is."""
    try:
        return decode(data)
    except CodecFault:
        return data.decode("utf-8", "replace")


def decode_cell(type_: str, value: Any) -> Any:
    """The value as its column declares it: true and false for a flag, a finite number or text for a real."""
    if type_ == "flag" and value is not None:
        return bool(value)
    if type_ == "real" and isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def restore_cell(type_: str, value: Any) -> Any:
    """Undo ``decode_cell`` for a cell of a trace. Raises SqlFault where the column cannot hold it."""
    if type_ == "real" and value in ("inf", "-inf"):
        return float(value)
    return encode_cell(type_, value)


# Reached for columns declared ANY, and only by connections that ask for it (PARSE_DECLTYPES).
sqlite3.register_converter("ANY", from_json)
