"""A fault of SQL says what the statement did wrong, in words that mean something to who wrote it."""

from __future__ import annotations

import sqlite3

TIME_LIMIT_S = 1.0
VALUE_LIMIT = 1 << 20
PATTERN_LIMIT = 5_000

_MEANINGS = {
    "string or blob too big": "makes a value or a row larger than 1 MiB; make it smaller",
    "database or disk is full": "makes the world too large; write less",
    "LIKE or GLOB pattern too complex": f"uses a LIKE pattern of more than {PATTERN_LIMIT} bytes; make it shorter",
}

# What sqlite3 raises besides its own errors: for a number beyond 64 bits, a lone surrogate, a NUL in a statement.
SQL_ERRORS = (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError)


class SqlFault(Exception):
    """A statement that may not run, could not run, or did not do what it had to. Nothing of it has happened."""


class SqlOverdue(SqlFault):
    """A statement that was stopped because it took too long; a slow machine may be to blame."""


def sql_fault(error: BaseException) -> SqlFault:
    """Say what SQLite said, in our words where its own mislead."""
    if isinstance(error, SqlFault):
        return error
    if isinstance(error, OverflowError):
        return SqlFault("is given a number that does not fit into 64 bits")
    if isinstance(error, UnicodeError):
        return SqlFault("is given text that is not valid Unicode")
    text = str(error)
    if text == "interrupted":
        return SqlOverdue(f"took longer than {TIME_LIMIT_S:g} s and was stopped; make it simpler")
    return SqlFault(_MEANINGS.get(text, text[:500]))
