from __future__ import annotations

import pytest
from kit.worlds import DESK, NOW, spec
from windtunnel.engine.world import sql_faults

CLOCK = spec(*DESK.tables.values(), now=NOW)
NO_CLOCK = "asks for the time, and no clock is declared; give the world a `now:`"


@pytest.mark.parametrize(
    ("sql", "faults"),
    [
        ("SELECT id FROM clients WHERE name = :query", []),
        (
            "SELECT id FROM clients WHERE name = :qurey",
            ["asks for :qurey, which it is not given; did you mean 'query'?"],
        ),
        ("INSERT INTO outbox VALUES (:query, 'b')", ["writes outbox, where it may only read; make it a SELECT"]),
        ("SELECT id FROM orders", ["no such table: orders; tables: clients, outbox"]),
        ("SELECT :query + @other", ["asks for :other, which it is not given; known: query"]),
        ("PRAGMA user_version", ["uses PRAGMA; a pack's SQL may only SELECT, INSERT, UPDATE and DELETE"]),
    ],
)
def test_a_statement_is_told_what_is_wrong_with_it(sql: str, faults: list[str]) -> None:
    assert sql_faults(sql, DESK, ["query"], read_only=True) == faults


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CURRENT_TIMESTAMP",
        "SELECT current_date",
        "SELECT date()",
        "SELECT DateTime ( 'NOW' )",
        "SELECT strftime('%s')",
        "SELECT strftime('%s', 'now', '+1 day')",
        "SELECT id FROM clients WHERE unixepoch(name) > unixepoch('now')",
        "SELECT unixepoch /* really */ ( -- now\n 'now')",
        "SELECT \"date\"('now')",
        "SELECT julianday(coalesce(1, 2)), time()",
    ],
)
def test_sql_that_asks_for_now_needs_a_clock(sql: str) -> None:
    assert sql_faults(sql, DESK, [], read_only=True) == [NO_CLOCK]
    assert sql_faults(sql, CLOCK, [], read_only=True) == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'now'",
        "SELECT date(name) FROM clients",
        "SELECT 'date(''now'')'",
        "SELECT date('2026-01-01', 'now') -- date()",
        "SELECT strftime('now', name) FROM clients",
        "SELECT name AS date FROM clients ORDER BY date",
    ],
)
def test_sql_that_only_looks_as_if_does_not(sql: str) -> None:
    assert sql_faults(sql, DESK, [], read_only=True) == []
