"""One copy of a prepared world, where SQL finds a frozen clock, seeded chance, and limits on time and size."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from .columns import insert_into, quoted
from .faults import PATTERN_LIMIT, SQL_ERRORS, TIME_LIMIT_S, VALUE_LIMIT, SqlFault, sql_fault
from .frozen_clock import FrozenClock
from .sql_functions import Life
from .statements import Statement

STEPS_BETWEEN_LOOKS = 1000
RESULT_LIMIT = 16 << 20
FIRST_FETCH = 64
FETCH = 256
PAGE_LIMIT = 65_536  # of 4 KiB

Rows = list[dict[str, Any]]


class Database:
    """A connection that is made once and reset between runs. One thread at a time."""

    def __init__(self, original: sqlite3.Connection, clock: FrozenClock) -> None:
        self._original = original
        self._life = Life()
        self._sqlite = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, detect_types=sqlite3.PARSE_DECLTYPES
        )
        for name, arguments, function, deterministic in self._life.functions(clock):
            self._sqlite.create_function(name, arguments, function, deterministic=deterministic)
        self._sqlite.set_progress_handler(self._life.is_late, STEPS_BETWEEN_LOOKS)
        self.copy()
        self._sqlite.execute(f"PRAGMA max_page_count = {PAGE_LIMIT}")
        self._sqlite.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_LIMIT)
        self._sqlite.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_LIMIT)
        self._sqlite.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)

    @property
    def total_changed(self) -> int:
        """How many rows this run has changed."""
        return self._life.total_changed

    def begin_life(self, chance: Random) -> None:
        """Serve another run."""
        self._life.begin(chance)

    def copy(self) -> None:
        """Copy the whole prepared world in.

        By backup, which SQLite's compiled statements notice; deserialize leaves them with tables that are gone.
        """
        self._original.backup(self._sqlite)

    def close(self) -> None:
        self._sqlite.close()

    def __del__(self) -> None:
        self._sqlite.close()  # a copy that was left to a thread goes with it

    def stop(self) -> None:
        """End the statement that another thread is in."""
        self._sqlite.interrupt()

    def start_watch(self) -> None:
        """From now on a statement may take ``TIME_LIMIT_S``."""
        self._life.deadline = time.monotonic() + TIME_LIMIT_S

    def begin(self) -> None:
        """Begin a transaction, if there is none."""
        if not self._sqlite.in_transaction:
            self._sqlite.execute("BEGIN")

    def commit(self) -> None:
        if self._sqlite.in_transaction:
            self._sqlite.execute("COMMIT")

    def roll_back(self) -> None:
        """Undo the transaction; SQLite has already done so where it stopped a statement that writes."""
        if self._sqlite.in_transaction:
            self._sqlite.execute("ROLLBACK")

    def run(self, sql: str, params: Mapping[str, Any], statement: Statement) -> Rows | None:
        """Run a statement, and return its rows, or None where it has none to give. Raises SqlFault.

        ``statement`` is what was seen when it was looked at: nothing here refuses what a pack may not do.
        """
        before = self._sqlite.total_changes
        try:
            cursor = self._sqlite.execute(sql, params)
            rows = _fetch(cursor)
        except SQL_ERRORS as error:
            fault, self._life.fault = self._life.fault, None
            raise fault or sql_fault(error) from None
        if statement.writes:
            self._life.changed = self._sqlite.total_changes - before
            self._life.total_changed += self._life.changed
            if statement.inserts and self._life.changed:
                self._life.last_rowid = cursor.lastrowid or 0
        return rows

    def read_all(self, sql: str) -> Rows:
        """All rows of our own statement, without a limit; text that is not UTF-8 gets marks where it is broken."""
        self._life.deadline = float("inf")
        try:
            return _as_rows(self._sqlite.execute(sql))
        except sqlite3.OperationalError:
            self._sqlite.text_factory = lambda data: data.decode("utf-8", "replace")
            return _as_rows(self._sqlite.execute(sql))
        finally:
            self._sqlite.text_factory = str

    def replace(self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> None:
        """Put these rows in place of those of a table. Raises SqlFault."""
        self._life.deadline = float("inf")
        self.begin()
        try:
            self._sqlite.execute(f"DELETE FROM {quoted(name)}")  # noqa: S608 - quoted
            self._sqlite.executemany(insert_into(name, columns), rows)
        except SQL_ERRORS as error:
            self.roll_back()
            raise sql_fault(error) from None
        self.commit()


def _as_rows(cursor: sqlite3.Cursor) -> Rows:
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _fetch(cursor: sqlite3.Cursor) -> Rows | None:
    """All rows as objects; too many bytes of them, or two columns of one name, are a fault."""
    if cursor.description is None:
        return None
    names = [column[0] for column in cursor.description]
    try:
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise SqlFault(f"gives two columns the name {twice!r}; name one of them otherwise with AS")
        found = cursor.fetchmany(FIRST_FETCH)
        size = 0
        more = found if len(found) == FIRST_FETCH else []
        while more:
            size += sum(len(cell) if isinstance(cell, str | bytes) else 8 for row in more for cell in row)
            if size > RESULT_LIMIT:
                raise SqlFault(f"gives more than {RESULT_LIMIT >> 20} MiB of rows; ask for fewer")
            more = cursor.fetchmany(FETCH)
            found += more
    finally:
        cursor.close()
    return [dict(zip(names, row, strict=True)) for row in found]
