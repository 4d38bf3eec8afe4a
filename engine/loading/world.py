"""Build the world: tables with a type for every column, and a scenario's tables laid over those of its pack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ...schemas.nearest import did_you_mean, nearest
from ...schemas.tool_documents import Table, WorldSpec
from .columns import CellFault, check_cell, csv_cell, inferred
from .files import is_reference
from .node import Node, cells_of, inert, rows_of

Row = dict[str, Any]


def world_from(node: Node | None, base: WorldSpec) -> WorldSpec:
    """The world that a node declares over another; the other itself where it declares nothing."""
    if node is None:
        return base
    tables = dict(base.tables)
    folded = {name.casefold(): name for name in tables}
    for name, entry in _entries(node.get("tables")):
        _check_table_name(name, entry, folded)
        tables[name] = _table(name, entry, base.tables.get(name))
    return WorldSpec(now=_now(node) or base.now, tables=tables)


def _entries(node: Node | None) -> list[tuple[str, Node]]:
    return list(node.entries()) if node else []


def _check_table_name(name: str, entry: Node, folded: dict[str, str]) -> None:
    other = folded.setdefault(name.casefold(), name)
    if other != name:
        entry.fault_at_key(f"table '{name}' and table '{other}' are one name to SQL", "rename one of them")
    if name.casefold().startswith("sqlite_"):
        entry.fault_at_key(f"SQLite keeps names like '{name}' for itself", "give the table another name")


def _now(node: Node) -> str:
    member = node.get("now")
    if member is None:
        return ""
    try:
        aware = datetime.fromisoformat(member.value).tzinfo is not None
    except (TypeError, ValueError):
        aware = False
    if not aware:
        member.fault(f"'{member.value}' is no instant with an offset", "write it as 2026-03-02T09:00:00+01:00")
        return ""
    return str(member.value)


def _table(name: str, node: Node, base: Table | None) -> Table:
    """A list of rows, ``{rows, columns}``, or ``{append: rows}`` to the table below."""
    mark = node.tree.marks.key(node.path)
    append = node.get("append")
    columns = _columns(node.get("columns"))
    rows = append or node.get("rows") or node
    if append is not None and base is None:
        remedy = "give its rows as a list, or declare it in the pack's world"
        node.fault(f"there is no table '{name}' to append to", remedy)
    if columns is None and base is not None:
        columns = base.columns
    if is_reference(rows.value):
        columns, found = _file_rows(name, rows, columns)
    else:
        columns, found = _inline_rows(name, rows, columns)
    kept = base.rows if append is not None and base is not None else ()
    _check_column_names(node, columns, known_empty=is_reference(rows.value))
    return Table(name=name, columns=columns, rows=(*kept, *found), mark=mark)


def _columns(node: Node | None) -> Mapping[str, str] | None:
    return None if node is None else {name: member.value for name, member in node.entries()}


def _check_column_names(node: Node, columns: Mapping[str, str], *, known_empty: bool) -> None:
    folded: dict[str, str] = {}
    for name in columns:
        other = folded.setdefault(name.casefold(), name)
        if other != name:
            node.fault(f"column '{name}' and column '{other}' are one name to SQL", "rename one of them")
    if not columns and node.whole and not known_empty:  # a data file without rows has told its own fault
        node.fault("the table has no columns", "give it a row, or declare columns: {name: text}")


def _inline_rows(name: str, node: Node, columns: Mapping[str, str] | None) -> tuple[Mapping[str, str], list[Row]]:
    nodes = [item for item in node.items() if item.whole]
    rows: list[Row] = [cells_of(item) for item in nodes]
    if columns is None:
        columns = _inferred(node, rows)
        _lonely_columns(nodes, rows, columns)
    for item, row in zip(nodes, rows, strict=True):
        for column, value in row.items():
            cell = item.get(column)
            if cell is None:
                continue
            if column not in columns:
                cell.fault_at_key(*_no_column(name, column, columns))
                continue
            try:
                check_cell(value, columns[column])
            except CellFault as fault:
                remedy = "put it in quotes" if columns[column] == "text" else "mend the cell"
                cell.fault(str(fault), f"{remedy}, or mend the column's type")
    return columns, rows


def _lonely_columns(nodes: list[Node], rows: list[Row], columns: Mapping[str, str]) -> None:
    """A column that one row alone has, beside a like one that it lacks: a slip, which would be a column of nulls."""
    if all(len(row) == len(columns) for row in rows):
        return
    held = Counter(column for row in rows for column in row)
    order = list(columns)  # as they were met: of two columns with one row each, the later is the slip
    for node, row in zip(nodes, rows, strict=True):
        lacking = [column for column in columns if column not in row]
        for column in row if lacking else ():
            before = [each for each in lacking if held[each] > 1 or order.index(each) < order.index(column)]
            meant = nearest(column, before) if held[column] == 1 else None
            if meant and (cell := node.get(column)):
                wrong = f"only this row has a column '{column}', and it has no '{meant}'"
                cell.fault_at_key(wrong, f"write '{meant}', or declare both: {{columns: {{...}}, rows: [...]}}")


def _inferred(node: Node, rows: list[Row]) -> Mapping[str, str]:
    try:
        return inferred(rows)
    except CellFault as fault:
        node.fault(str(fault), "mend the cells, or declare the column's type: {columns: {...}, rows: [...]}")
        return dict.fromkeys((column for row in rows for column in row), "json")


def _file_rows(name: str, node: Node, columns: Mapping[str, str] | None) -> tuple[Mapping[str, str], list[Row]]:
    found = rows_of(node)
    if found is None:
        return columns or {}, []
    if columns is None:
        try:
            columns = inferred(row.values for row in found)
        except CellFault as fault:
            node.fault(str(fault), "mend the file, or declare the column's type: {columns: {...}, rows: file://...}")
            return dict.fromkeys((column for row in found for column in row.values), "json"), []
    rows: list[Row] = []
    for row in found:
        kept: Row = {}
        from_csv = row.mark.source.path.suffix.lower() == ".csv"
        for column, value in row.values.items():
            if column not in columns:
                node.tree.problems.add(row.mark, column, *_no_column(name, column, columns))
                continue
            try:
                if from_csv:
                    kept[column] = csv_cell(value, columns[column])
                else:
                    kept[column] = inert(value)
                    check_cell(kept[column], columns[column])
            except CellFault as fault:
                node.tree.problems.add(row.mark, column, str(fault), "mend the cell, or mend the column's type")
        rows.append(kept)
    return columns, rows


def _no_column(table: str, column: str, columns: Mapping[str, str]) -> tuple[str, str]:
    return f"table '{table}' has no column '{column}'", did_you_mean(column, columns, what="its columns")
