"""The final rows of every table as evidence: whole where they fit, cut visibly where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.records import TableState
from .columns import json_text

SNAPSHOT_LIMIT = 1 << 20


def measured(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[int]]:
    """The rows as strict JSON can hold them, and the bytes that each takes."""
    kept, sizes = [], []
    for row in rows:
        text, plain = json_text(row), row
        if text is None:
            plain = clean_value(row)
            text = json_text(plain) or ""
        kept.append(plain)
        sizes.append(len(text.encode()) + 1)
    return kept, sizes


def cut_to(tables: Mapping[str, tuple[list[dict[str, Any]], list[int]]], limit: int) -> dict[str, TableState]:
    """Share the limit out: the smaller tables first, so that a large one costs only itself its rows."""
    states: dict[str, TableState] = {}
    left = limit
    for name in sorted(tables, key=lambda name: (sum(tables[name][1]), name)):
        rows, sizes = tables[name]
        fitting = 0
        while fitting < len(rows) and sizes[fitting] <= left:
            left -= sizes[fitting]
            fitting += 1
        if fitting == len(rows):
            states[name] = TableState(rows=rows)
        else:
            states[name] = TableState(rows=rows[:fitting], cut=True, total=len(rows))
    return {name: states[name] for name in tables}
