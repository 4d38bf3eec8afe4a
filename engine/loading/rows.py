"""Read a data file (CSV, JSON, JSONL) as rows that each know their line, or say which line is at fault."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.problems import Mark, Problems, Source
from .strict_json import decode_at

FORMATS = (".csv", ".json", ".jsonl", ".ndjson")
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class DataRow:
    """One row with its place; the values of a CSV row are all text."""

    values: Mapping[str, Any]
    mark: Mark


class _RowFault(Exception):
    def __init__(self, line: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line, self.remedy = line, remedy


def read_rows(text: str, source: Source, problems: Problems) -> list[DataRow] | None:
    """Every row of a data file, by the ending of its name; None, with a fault that names file:line."""
    readers = {".csv": _csv_rows, ".json": _json_rows, ".jsonl": _json_lines, ".ndjson": _json_lines}
    reader = readers.get(source.path.suffix.lower())
    if reader is None:
        problems.add(Mark(source), "", "is no data file by its ending", f"rows come from {', '.join(FORMATS)}")
        return None
    rows: list[DataRow] = []
    try:
        rows.extend(DataRow(values, Mark(source, line)) for line, values in reader(text))
    except _RowFault as fault:
        problems.add(Mark(source, fault.line), "", str(fault), fault.remedy)
        return None
    return rows


def _csv_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    limit = csv.field_size_limit(max(len(text), 1))
    try:
        yield from _csv_records(csv.reader(io.StringIO(text, newline=""), strict=True))
    finally:
        csv.field_size_limit(limit)


def _csv_records(reader: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    header: list[str] = []
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _RowFault(line, f"is not CSV: {error}", 'quote the cell, and double each " in it') from None
        if cells is None:
            break
        if not cells:
            continue
        if not header:
            header = _header(cells, line)
        elif len(cells) != len(header):
            wrong = f"this row has {len(cells)} cells, the header has {len(header)}"
            raise _RowFault(line, wrong, "give each column one cell; quote a cell that holds a comma")
        else:
            yield line, dict(zip(header, cells, strict=True))
    if not header:
        raise _RowFault(1, "is empty", "begin with a line that names the columns")


def _header(cells: list[str], line: int) -> list[str]:
    for number, name in enumerate(cells, start=1):
        if not name.strip():
            raise _RowFault(line, f"column {number} has no name", "name every column in the first line")
        if cells.index(name) != number - 1:
            raise _RowFault(line, f"two columns are named '{name}'", "name each column once")
    return cells


def _json_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The members of one JSON list; decoded one by one, so that each knows its line."""
    start = _skip(text, 0)
    if text[start : start + 1] != "[":
        raise _RowFault(_line(text, start), "is not a list of rows", "write one JSON list of objects: [{...}, {...}]")
    at = _skip(text, start + 1)
    counted, line = 0, 1
    while text[at : at + 1] != "]":
        line, counted = line + text.count("\n", counted, at), at
        values, at = _object(text, at, line)
        yield line, values
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
            if text[at : at + 1] == "]":
                raise _RowFault(_line(text, at), "a comma before ']' is not JSON", "remove the comma")
        elif text[at : at + 1] != "]":
            raise _RowFault(_line(text, at), "after a row comes ',' or ']'", "mend the JSON here")
    after = _skip(text, at + 1)
    if after < len(text):
        raise _RowFault(_line(text, after), "text after the list", "keep one JSON list in the file")


def _json_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip(_BLANK):
            at = _skip(line, 0)
            values, end = _object(line, at, number)
            if line[end:].strip(_BLANK):
                raise _RowFault(number, "text after the object", "write one JSON object a line")
            yield number, values


def _object(text: str, at: int, line: int) -> tuple[dict[str, Any], int]:
    try:
        value, end = decode_at(text, at)
    except json.JSONDecodeError as error:
        line += error.lineno - 1 - text.count("\n", 0, at)
        raise _RowFault(line, f"is not JSON: {error.msg}", "mend the JSON here") from None
    except ValueError as error:
        raise _RowFault(line, f"this row {error}", "use plain JSON values") from None
    if not isinstance(value, dict):
        raise _RowFault(line, "a row is an object", 'write {"column": value, ...}')
    return value, end


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
