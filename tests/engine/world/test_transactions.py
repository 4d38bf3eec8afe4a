from __future__ import annotations

import pytest
from kit.worlds import opened
from windtunnel.engine.world import SqlFault, database

ONE = "INSERT INTO outbox VALUES (:to, 'one')"
ENDLESS = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) "


def test_the_last_statement_that_gives_rows_answers() -> None:
    world = opened()
    assert world.write([ONE, "SELECT recipient FROM outbox", ONE], {"to": "a"}, expect_rows=2) == [{"recipient": "a"}]
    assert world.write(["UPDATE outbox SET body = 'x' RETURNING body"], expect_rows=2) == [{"body": "x"}, {"body": "x"}]
    assert world.write(["DELETE FROM outbox"], expect_rows=2) is None


@pytest.mark.parametrize(
    ("statements", "expected", "text"),
    [
        ([ONE], 2, "2 rows had to change, and 1 did; nothing was changed"),
        ([ONE, "UPDATE clients SET orders = 9"], 1, "1 row had to change, and 3 did; nothing was changed"),
        (
            ["WITH x AS (SELECT 1) UPDATE clients SET orders = 9 WHERE id = 'C9'"],
            1,
            "1 row had to change, and 0 did; nothing was changed",
        ),
        ([ONE, "UPDATE clients SET orders = 'nine'"], None, "cannot store TEXT value in INTEGER column clients.orders"),
        (
            [ONE, "INSERT OR ROLLBACK INTO clients(active) VALUES (7)"],
            None,
            "CHECK constraint failed: active holds true or false",
        ),
        (
            [ONE, "SELECT zzz"],
            None,
            "no such column: zzz; columns: active, body, id, name, orders, rate, recipient, tags",
        ),
    ],
)
def test_a_transaction_that_fails_leaves_nothing(statements: list[str], expected: int | None, text: str) -> None:
    world = opened()
    world.write([ONE], {"to": "before"})
    before = world.tables()
    with pytest.raises(SqlFault) as caught:
        world.write(statements, {"to": "a"}, expected)
    assert str(caught.value) == text
    assert world.tables() == before


def test_a_body_that_fails_undoes_what_was_written_in_it() -> None:
    world = opened()

    def write_and_fail() -> None:
        with world.transaction():
            world.write([ONE], {"to": "a"}, expect_rows=1)
            assert len(world.tables()["outbox"]) == 1
            raise KeyError

    with pytest.raises(KeyError):
        write_and_fail()
    assert world.tables()["outbox"] == []
    world.write([ONE], {"to": "b"})
    assert world.tables()["outbox"] == [{"recipient": "b", "body": "one"}]


@pytest.mark.parametrize(
    "sql",
    [
        ENDLESS + "SELECT count(*) AS it FROM n",
        ENDLESS + "INSERT INTO outbox SELECT 'a', 'b' FROM n",
        ENDLESS + "SELECT unixepoch('2026-01-0' || (x % 9)) AS it FROM n WHERE it < 0",
    ],
)
def test_a_statement_that_does_not_end_is_stopped_and_costs_only_its_own_writes(
    sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TIME_LIMIT_S", 0.05)
    world = opened()
    world.write([ONE], {"to": "before"})
    with pytest.raises(SqlFault) as caught:
        world.write([ONE, sql], {"to": "a"})
    assert str(caught.value) == "took longer than 1 s and was stopped; make it simpler"
    assert world.tables()["outbox"] == [{"recipient": "before", "body": "one"}]


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT zeroblob(2000000) AS it", "makes a value or a row larger than 1 MiB; make it smaller"),
        ("SELECT randomblob(2000000) AS it", "makes a value larger than 1 MiB; make it smaller"),
        (
            "SELECT replace(hex(zeroblob(500000)), '0', 'xx') AS it",
            "makes a value or a row larger than 1 MiB; make it smaller",
        ),
        (ENDLESS + "SELECT hex(zeroblob(100000)) AS it FROM n", "gives more than 16 MiB of rows; ask for fewer"),
        (
            "SELECT 1 AS it WHERE 'x' LIKE hex(zeroblob(5000))",
            "uses a LIKE pattern of more than 5000 bytes; make it shorter",
        ),
    ],
)
def test_a_value_or_a_result_that_is_too_large_is_a_fault(sql: str, text: str) -> None:
    with pytest.raises(SqlFault) as caught:
        opened().query(sql)
    assert str(caught.value) == text
