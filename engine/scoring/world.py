"""Check what a query over the final world gives, types included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.counted import counted
from ...schemas.scenario_documents import Check
from .base import Args, Fact, GraderFault
from .evidence import Evidence
from .same import same_strict
from .shown import as_json, clip, typed

MOST_SHOWN = 100


def world(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the query gives the value, or the rows in this order; types are strict: 1 is neither true nor 1.0"""
    expected = args["equals"]
    rows = seen.query(check.args["sql"], args.get("params") or {})
    expected = [expected] if isinstance(expected, Mapping) else expected
    found: Any = rows
    if isinstance(expected, list | tuple):
        what = _rows_told(rows, list(expected))
    elif len(rows) != 1:
        what = f"the query gave {_count(rows)}, one value expected"
    elif len(rows[0]) != 1:
        raise GraderFault(f"the query gives {len(rows[0])} columns ({', '.join(rows[0])}); select one, or expect rows")
    else:
        found = next(iter(rows[0].values()))
        what = _value_told(found, expected)
    yield Fact(holds=same_strict(found, expected), what=what, expected=expected, found=found)


def _value_told(value: Any, expected: Any) -> str:
    if same_strict(value, expected):
        return f"the query gave {_one(value)}"
    if type(value) is not type(expected) and not (isinstance(value, str) and isinstance(expected, str)):
        return f"the query gave {typed(value)}, not {typed(expected)}"
    return f"the query gave {_one(value)}, not {_one(expected)}"


def _rows_told(rows: list[dict[str, Any]], expected: list[Any]) -> str:
    if len(rows) != len(expected):
        return f"the query gave {_count(rows)}, not {len(expected)}{f': {_one(rows)}' if rows else ''}"
    for number, (row, wanted) in enumerate(zip(rows, expected, strict=True), start=1):
        if not same_strict(row, wanted):
            return f"row {number}: {_difference(row, wanted)}"
    return f"the query gave {_count(rows)} as expected"


def _difference(row: Mapping[str, Any], wanted: Any) -> str:
    if not isinstance(wanted, Mapping) or row.keys() != wanted.keys():
        return f"gave {_one(row)}, not {_one(wanted)}"
    for column, value in row.items():
        if not same_strict(value, wanted[column]):
            return f"{column}: {_value_told(value, wanted[column]).removeprefix('the query ')}"
    return "the same"


def _count(rows: list[Any]) -> str:
    return "no row" if not rows else counted(len(rows), "row")


def _one(value: Any) -> str:
    return clip(as_json(value), MOST_SHOWN)
