"""Look at a statement before it runs: what it reads, writes and calls; what a pack's SQL may not do is refused."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ...schemas.nearest import did_you_mean
from ...schemas.tool_documents import Table
from .columns import create_table
from .faults import SQL_ERRORS, SqlFault, sql_fault

MOST_REMEMBERED = 2_000
SHAPES_KEPT = 32

_REFUSED_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "fsdir", "lsmode"})
_REFUSED_TABLES = ("pragma_", "fsdir", "zipfile", "sqlite_dbpage")
_WRITES = {sqlite3.SQLITE_INSERT: "INSERT", sqlite3.SQLITE_UPDATE: "UPDATE", sqlite3.SQLITE_DELETE: "DELETE"}
_HARMLESS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})
_CALLED = {
    sqlite3.SQLITE_ATTACH: "ATTACH",
    sqlite3.SQLITE_DETACH: "DETACH",
    sqlite3.SQLITE_PRAGMA: "PRAGMA",
    sqlite3.SQLITE_TRANSACTION: "BEGIN, COMMIT and ROLLBACK",
    sqlite3.SQLITE_SAVEPOINT: "SAVEPOINT",
    sqlite3.SQLITE_ANALYZE: "ANALYZE",
    sqlite3.SQLITE_REINDEX: "REINDEX",
}
ONLY = "a pack's SQL may only SELECT, INSERT, UPDATE and DELETE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a statement does: the tables it reads and writes, the functions and the parameters it names."""

    reads: frozenset[str]
    writes: frozenset[str]
    inserts: bool
    functions: frozenset[str]
    parameters: tuple[str, ...]


@dataclass(slots=True)
class _Look:
    """What SQLite asks the authorizer while it compiles one statement."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    parameters: dict[str, None] = field(default_factory=dict)
    inserts: bool = False
    selects: bool = False
    refused: str = ""

    def allows(self, action: int, name: str | None, detail: str | None) -> bool:
        if action == sqlite3.SQLITE_READ:
            return self._reads(name or "")
        if action == sqlite3.SQLITE_FUNCTION:
            return self._calls((detail or "").lower())
        if action in _WRITES:
            # A table-valued function is declared by writing to sqlite_master; no statement can do so by itself.
            if name != "sqlite_master":
                self.writes.add(name or "")
                self.inserts = self.inserts or action == sqlite3.SQLITE_INSERT
            return True
        self.selects = self.selects or action == sqlite3.SQLITE_SELECT
        if action not in _HARMLESS:
            self.refused = self.refused or f"uses {_CALLED.get(action, 'CREATE, DROP or ALTER')}; {ONLY}"
            return False
        return True

    def _reads(self, table: str) -> bool:
        self.reads.add(table)
        if table.lower().startswith(_REFUSED_TABLES):
            self.refused = f"reads {table}, which reaches outside the world; {ONLY}"
            return False
        return True

    def _calls(self, function: str) -> bool:
        self.functions.add(function)
        if function in _REFUSED_FUNCTIONS:
            self.refused = f"calls {function}, which reaches outside the world; leave it out"
            return False
        return True


class _Asked(dict[str, None]):
    """Stands for the parameters of a statement, and notes which it asks for."""

    def __missing__(self, name: str) -> None:
        self[name] = None


class Statements:
    """Compiles statements, without running them, against empty tables of the declared columns."""

    def __init__(self, tables: Mapping[str, Mapping[str, str]]) -> None:
        self._columns = tables
        self._lock = threading.Lock()
        self._look = _Look()
        self._known: dict[str, Statement | str] = {}
        self._sqlite = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            for name, columns in tables.items():
                self._sqlite.execute(create_table(name, columns))
        except SQL_ERRORS as error:
            self._sqlite.close()
            raise sql_fault(error) from None
        self._sqlite.set_authorizer(self._authorize)

    def look(self, sql: str) -> Statement:
        """What the statement does. Raises SqlFault for one that does not compile, or that may not run."""
        known = self._known.get(sql)
        if known is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            try:
                with self._lock:
                    known = self._compile(sql)
            except SqlFault as fault:
                known = str(fault)
            self._known[sql] = known
        if isinstance(known, str):
            raise SqlFault(known)
        return known

    def __del__(self) -> None:
        self._sqlite.close()

    def _compile(self, sql: str) -> Statement:
        look = self._look = _Look()
        asked = _Asked()
        try:
            self._sqlite.execute(f"EXPLAIN {sql}", asked).close()
        except SQL_ERRORS as error:
            raise SqlFault(look.refused or self._explained(sql, str(error))) from None
        if look.refused:
            raise SqlFault(look.refused)
        if not (look.selects or look.reads or look.writes):
            raise SqlFault(f"does neither read nor write the world; {ONLY}")
        return Statement(
            reads=frozenset(look.reads),
            writes=frozenset(look.writes),
            inserts=look.inserts,
            functions=frozenset(look.functions),
            parameters=tuple(asked),
        )

    def _explained(self, sql: str, text: str) -> str:
        """SQLite's complaint, with the name that was probably meant."""
        if not sql.strip():
            return "is empty; write a SELECT, INSERT, UPDATE or DELETE"
        if text.startswith("Binding "):
            return "has a parameter without a name; write :name"
        if text.startswith("You can only execute one statement"):
            return "holds more than one statement; write a list of them"
        what, found, name = text.partition(": ")
        if found and what == "no such table":
            return f"{text}; {did_you_mean(name, self._columns, what='tables')}"
        if found and what == "no such column":
            columns = {column for table in self._columns.values() for column in table}
            return f"{text}; {did_you_mean(name.rpartition('.')[2], columns, what='columns')}"
        return str(sql_fault(sqlite3.OperationalError(text)))

    def _authorize(self, action: int, name: str | None, detail: str | None, *_: str | None) -> int:
        return sqlite3.SQLITE_OK if self._look.allows(action, name, detail) else sqlite3.SQLITE_DENY


_Shape = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def statements_for(tables: Mapping[str, Table]) -> Statements:
    """The statements over these tables. Scenarios mostly share their columns, and so what was compiled against them."""
    return _statements(tuple((name, tuple(table.columns.items())) for name, table in tables.items()))


@lru_cache(maxsize=SHAPES_KEPT)
def _statements(shape: _Shape) -> Statements:
    return Statements({name: dict(columns) for name, columns in shape})
