"""The world of one run: read and written by its tools alone, and gone with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...schemas.counted import counted
from ...schemas.records import TableState
from .columns import decode_cell, json_text, quoted, restore_cell
from .database import Database, Rows
from .faults import SqlFault
from .snapshot import SNAPSHOT_LIMIT, cut_to, measured

if TYPE_CHECKING:
    from .prepared import PreparedWorld

NOTHING: Mapping[str, Any] = {}
_NESTED = (list, tuple, dict)


class World:
    """One run's tables. Any thread may use it, one at a time; once closed it refuses."""

    def __init__(self, prepared: PreparedWorld, database: Database) -> None:
        self._prepared = prepared
        self._database: Database | None = database
        self._lock = threading.RLock()
        self._hidden: dict[str, str] = {}
        self._written: set[str] = set()
        self._seen: dict[str, Rows] = {}
        self._transacting = False

    def query(self, sql: str, params: Mapping[str, Any] = NOTHING) -> Rows:
        """The rows of a statement that only reads. Raises SqlFault."""
        with self._lock:
            self._open().start_watch()
            return self._run(sql, _bound(params), may_write=False) or []

    def write(
        self, statements: Sequence[str], params: Mapping[str, Any] = NOTHING, expect_rows: int | None = None
    ) -> Rows | None:
        """Run the statements in one transaction; return the rows of the last one that gives any, or None.

        ``expect_rows`` counts the rows that all of them changed; another count undoes them. Raises SqlFault.
        """
        with self.transaction():
            database, bound = self._open(), _bound(params)
            database.start_watch()
            before = database.total_changed
            rows: Rows | None = None
            for sql in statements:
                found = self._run(sql, bound, may_write=True)
                rows = rows if found is None else found
            changed = database.total_changed - before
            if expect_rows is not None and changed != expect_rows:
                raise SqlFault(f"{counted(expect_rows, 'row')} had to change, and {changed} did; nothing was changed")
            return rows

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside holds, or (where the body raises) nothing of it; an inner one is part of it."""
        with self._lock:
            database = self._open()
            if self._transacting:
                yield
                return
            self._transacting = True
            try:
                yield
                database.commit()
            except BaseException:
                database.roll_back()
                self._seen.clear()
                raise
            finally:
                self._transacting = False

    def tables(self) -> dict[str, Rows]:
        """The rows of every table as their columns declare them. Not to be changed: they may be shared."""
        with self._lock:
            initial = self._prepared.initial() if len(self._written) < len(self._prepared.tables) else {}
            return {
                name: self._now(name) if name in self._written else initial[name][0] for name in self._prepared.tables
            }

    def snapshot(self, limit: int = SNAPSHOT_LIMIT) -> dict[str, TableState]:
        """The rows of every table as a trace holds them, cut visibly where they take more than ``limit`` bytes."""
        with self._lock:
            initial = self._prepared.initial()
            return cut_to(
                {name: measured(self._now(name)) if name in self._written else initial[name] for name in initial}, limit
            )

    def read(self, name: str) -> Rows:
        """The rows of one table, in the order in which they were written."""
        columns = self._prepared.tables[name].columns
        sql = f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(name)}"  # noqa: S608 - quoted
        rows = self._open().read_all(sql)
        for column, type_ in columns.items():
            if type_ in ("flag", "real"):
                for row in rows:
                    row[column] = decode_cell(type_, row[column])
        return rows

    def replace(self, name: str, rows: Rows) -> None:
        """Put the rows of a trace in place of those of a table. Raises SqlFault."""
        columns = self._prepared.tables[name].columns
        self._written.add(name)
        self._seen.pop(name, None)
        if any(row.keys() != columns.keys() for row in rows):
            raise SqlFault(f"the rows of table {name!r} in the trace have other columns than the pack declares")
        cells = [[restore_cell(type_, row[column]) for column, type_ in columns.items()] for row in rows]
        self._open().replace(name, columns, cells)

    def hide(self, name: str, why: str) -> None:
        """Refuse, with this text, every statement that reads the table."""
        self._hidden[name] = why

    def close(self) -> None:
        """Give the copy back. A thread that is still in a statement is stopped, and its copy thrown away."""
        database, self._database = self._database, None
        if database is None:
            return
        if self._lock.acquire(blocking=False):
            try:
                self._prepared.take_back(database, self._written)
            finally:
                self._lock.release()
        else:
            database.stop()

    def _open(self) -> Database:
        if self._database is None:
            raise SqlFault("comes after its run has ended; this world is closed")
        return self._database

    def _run(self, sql: str, params: Mapping[str, Any], *, may_write: bool) -> Rows | None:
        database = self._open()
        statement = self._prepared.statements.look(sql)
        if statement.writes and not may_write:
            raise SqlFault(f"writes {', '.join(sorted(statement.writes))}, where it may only read; make it a SELECT")
        for name in self._hidden.keys() & statement.reads:
            raise SqlFault(self._hidden[name])
        if statement.writes:
            self._written |= statement.writes
            database.begin()
            for name in statement.writes:
                self._seen.pop(name, None)
        return database.run(sql, params, statement)

    def _now(self, name: str) -> Rows:
        if name not in self._seen:
            self._seen[name] = self.read(name)
        return self._seen[name]


def _bound(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Parameters as SQLite takes them: lists and objects as JSON."""
    if not any(isinstance(value, _NESTED) for value in params.values()):
        return params
    return {name: json_text(value) if isinstance(value, _NESTED) else value for name, value in params.items()}
