"""A world is prepared once a scenario and copied for every run; no insert is replayed."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping
from random import Random
from typing import Any

from ...schemas.codec import UNSET
from ...schemas.errors import TemplateFault
from ...schemas.records import TableState
from ...schemas.templates import render_value
from ...schemas.tool_documents import Table, WorldSpec
from .columns import create_table, encode_cell, insert_into
from .database import Database
from .faults import SQL_ERRORS, VALUE_LIMIT, SqlFault, sql_fault
from .frozen_clock import FrozenClock
from .session import World
from .snapshot import measured
from .statements import statements_for

MOST_SPARE = 128  # one for each run at once, in nearly any sweep: to open a new one costs ten times as much
SMALL_TABLE = 100

Rows = list[dict[str, Any]]


class PreparedWorld:
    """The fixture of one scenario, ready to be copied. Give it back with ``close``."""

    def __init__(self, spec: WorldSpec, original: sqlite3.Connection, cells: Mapping[str, list[list[Any]]]) -> None:
        self._original = original
        self._spare: list[Database] = []
        self._closed = False
        self.tables: Mapping[str, Table] = spec.tables
        self.statements = statements_for(spec.tables)
        self._small = {name: rows for name, rows in cells.items() if len(rows) <= SMALL_TABLE}
        self._clock = FrozenClock(spec.now)
        self._initial: dict[str, tuple[Rows, list[int]]] | None = None

    def open(self, random: Random) -> World:
        """A world of its own for one run, as the documents declare it. ``random`` feeds SQL's random()."""
        database = self._spare.pop() if self._spare else Database(self._original, self._clock)
        database.begin_life(random)
        return World(self, database)

    def open_with(self, tables: Mapping[str, TableState]) -> World:
        """The world as a trace tells it, to be read. A statement that reads a table that was cut is a SqlFault.

        Raises SqlFault where the trace's rows do not fit the declared tables.
        """
        world = self.open(Random(0))  # noqa: S311 - not for secrets
        initial = self.initial()
        try:
            for name in self.tables:
                state = tables.get(name)
                if state is None:
                    world.hide(name, f"table {name!r} is not in the trace")
                elif state.cut is not UNSET and state.cut:
                    kept = f"{len(state.rows)} of its {state.total} rows are there"
                    world.hide(name, f"table {name!r} was cut in the trace: {kept}, so no check can read it")
                elif state.rows != initial[name][0]:
                    world.replace(name, state.rows)
        except SqlFault:
            world.close()
            raise
        return world

    def initial(self) -> dict[str, tuple[Rows, list[int]]]:
        """Every table's rows as declared, with the bytes that each takes in a trace."""
        if self._initial is None:
            world = self.open(Random(0))  # noqa: S311 - not for secrets
            self._initial = {name: measured(world.read(name)) for name in self.tables}
            world.close()
        return self._initial

    def take_back(self, database: Database, written: Collection[str]) -> None:
        """Keep a database for the next run, with ``written`` tables as they were.

        A copy of the whole makes SQLite read its schema again, which costs more than the rows of small tables do.
        """
        if self._closed or len(self._spare) >= MOST_SPARE:
            database.close()
            return
        if all(name in self._small for name in written):
            for name in written:
                database.replace(name, self.tables[name].columns, self._small[name])
        else:
            database.copy()
        self._spare.append(database)

    def close(self) -> None:
        """Free the spare copies; worlds that are still open go when they are closed."""
        self._closed = True
        while self._spare:
            self._spare.pop().close()
        self._original.close()

    def __del__(self) -> None:
        self.close()


def prepare_world(spec: WorldSpec, names: Mapping[str, Any]) -> PreparedWorld:
    """Make the declared tables and rows; cells that are templates are rendered over ``names`` (vars, case, now).

    Raises SqlFault, naming table, row and column, for a cell that its column cannot hold or that does not render.
    """
    made = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        made.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT)
        made.execute("BEGIN")
        cells = {name: _fill(made, table, names) for name, table in spec.tables.items()}
        made.execute("COMMIT")
        return PreparedWorld(spec, made, cells)
    except SQL_ERRORS as error:
        made.close()
        raise sql_fault(error) from None
    except SqlFault:
        made.close()
        raise


def _fill(made: sqlite3.Connection, table: Table, names: Mapping[str, Any]) -> list[list[Any]]:
    made.execute(create_table(table.name, table.columns))
    cells = [_rendered(table, at, row, names) for at, row in enumerate(table.rows, 1)]
    made.executemany(insert_into(table.name, table.columns), cells)
    return cells


def _rendered(table: Table, at: int, row: Mapping[str, Any], names: Mapping[str, Any]) -> list[Any]:
    cells = []
    for column, type_ in table.columns.items():
        value = row.get(column)
        try:
            if isinstance(value, list | dict) or (isinstance(value, str) and "{" in value):
                value = render_value(value, names)
            cells.append(encode_cell(type_, value))
        except (SqlFault, TemplateFault) as fault:
            raise SqlFault(f"world.tables.{table.name}: row {at}: {column}: {fault}") from None
    return cells
