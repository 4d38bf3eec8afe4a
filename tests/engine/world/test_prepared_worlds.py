from __future__ import annotations

import gc
import weakref
from random import Random
from typing import Any

import pytest
from kit.worlds import CLIENTS, DESK, NAMES, OUTBOX, opened, prepared, spec, table
from windtunnel.engine.world import SqlFault, prepare_world
from windtunnel.schemas.documents import Inert

INSERT = ["INSERT INTO outbox VALUES ('a', 'b')"]


def test_what_one_run_writes_no_other_run_sees() -> None:
    world = prepared()
    first, second = world.open(Random(1)), world.open(Random(1))
    first.write(INSERT)
    assert first.query("SELECT count(*) AS n FROM outbox") == [{"n": 1}]
    assert second.query("SELECT count(*) AS n FROM outbox") == [{"n": 0}]


@pytest.mark.parametrize("rows", [0, 3, 500])
def test_a_copy_that_was_written_is_as_declared_when_it_is_used_again(rows: int) -> None:
    big = table("big", {"n": "integer"}, *({"n": n} for n in range(rows)))
    world = prepared(spec(big, OUTBOX))
    before = world.open(Random(1))
    declared = before.query("SELECT rowid, n FROM big")
    before.write(["DELETE FROM big WHERE n < 2", "INSERT INTO big VALUES (7)", *INSERT])
    before.close()
    again = world.open(Random(1))
    assert again.query("SELECT rowid, n FROM big") == declared
    assert again.query("SELECT count(*) AS n FROM outbox") == [{"n": 0}]


def test_sql_cannot_tell_that_its_copy_was_used_before() -> None:
    world = prepared()
    sql = "SELECT last_insert_rowid() AS rowid, changes() AS changes, total_changes() AS total, random() AS chance"
    fresh = world.open(Random(5))
    first = fresh.query(sql)
    fresh.write(INSERT * 3)
    fresh.write(["UPDATE outbox SET body = 'x' WHERE body = 'none'"])
    assert fresh.query(sql)[0] | {"chance": 0} == {"rowid": 3, "changes": 0, "total": 3, "chance": 0}
    fresh.close()
    assert world.open(Random(5)).query(sql) == first
    assert first[0] | {"chance": 0} == {"rowid": 0, "changes": 0, "total": 0, "chance": 0}


def test_a_statement_sees_the_row_that_the_one_before_it_added() -> None:
    world = opened()
    world.write([*INSERT, "UPDATE outbox SET body = 'new' WHERE rowid = last_insert_rowid()"], expect_rows=2)
    assert world.tables()["outbox"] == [{"recipient": "a", "body": "new"}]


def test_compiled_statements_survive_the_reset_of_their_copy() -> None:
    many = table("many", {"n": "integer"}, *({"n": n} for n in range(200)))
    world = prepared(spec(many, CLIENTS, OUTBOX))
    for _ in range(5):
        run = world.open(Random(1))
        run.write(["UPDATE many SET n = n + 1", *INSERT], expect_rows=201)
        assert run.query("SELECT sum(n) AS total FROM many") == [{"total": sum(range(200)) + 200}]
        assert len(run.query("SELECT id, name FROM clients WHERE name LIKE '%wing'")) == 2
        run.close()


def test_templates_in_cells_are_rendered_and_data_is_not() -> None:
    cells = table(
        "cells",
        {"text": "text", "number": "integer", "nested": "json"},
        {
            "text": "for {{ vars.client }}",
            "number": "{{ 40 + 2 }}",
            "nested": {"who": ["{{ vars.client }}", Inert("{{ x }}")]},
        },
        {"text": Inert("{{ vars.nobody }}"), "number": None, "nested": None},
    )
    assert prepared(spec(cells)).open(Random(1)).tables()["cells"] == [
        {"text": "for Bluewing", "number": 42, "nested": {"who": ["Bluewing", "{{ x }}"]}},
        {"text": "{{ vars.nobody }}", "number": None, "nested": None},
    ]


@pytest.mark.parametrize(
    ("type_", "cell", "text"),
    [
        ("integer", "{{ vars.client }}", "holds a whole number of 64 bits, not the text 'Bluewing'"),
        ("integer", 2**63, "holds a whole number of 64 bits, not the number 9223372036854775808"),
        ("integer", True, "holds a whole number of 64 bits, not true"),
        ("text", "{{ 1 }}", "holds text, not the number 1"),
        ("flag", "{{ 1 }}", "holds true or false, not the number 1"),
        ("real", "{{ 'x' }}", "holds a number, not the text 'x'"),
        ("real", float("nan"), "holds a number, not the number nan"),
        ("text", ["x"], "holds text, not a value of type list"),
        ("text", "x" * (1 << 20), None),
    ],
)
def test_a_cell_that_its_column_cannot_hold_is_told_by_table_row_and_column(
    type_: str, cell: object, text: str | None
) -> None:
    world = spec(table("stock", {"it": type_}, {"it": None}, {"it": cell}))
    with pytest.raises(SqlFault) as caught:
        prepare_world(world, NAMES)
    told = (
        f"world.tables.stock: row 2: it: {text}"
        if text
        else "makes a value or a row larger than 1 MiB; make it smaller"
    )
    assert str(caught.value) == told


def test_a_closed_world_refuses() -> None:
    world = opened()
    world.close()
    world.close()
    with pytest.raises(SqlFault) as caught:
        world.query("SELECT 1 AS one")
    assert str(caught.value) == "comes after its run has ended; this world is closed"


def test_worlds_that_are_open_outlive_the_prepared_one() -> None:
    world = prepared(DESK)
    run = world.open(Random(1))
    world.close()
    assert run.query("SELECT id FROM clients WHERE active") == [{"id": "C1"}]
    run.close()


def test_names_of_tables_and_columns_may_be_words_of_sql() -> None:
    odd = table("select", {"order": "flag", 'a"b': "json"}, {"order": True, 'a"b': {"x": 1}})
    world = opened(spec(odd))
    assert world.tables() == {"select": [{"order": True, 'a"b': {"x": 1}}]}
    with pytest.raises(SqlFault, match="order holds true or false"):
        world.write(['UPDATE "select" SET "order" = 7'])


def test_worlds_that_nobody_closes_go_with_their_last_user() -> None:
    world = prepared()
    run = world.open(Random(1))
    run.write(INSERT)
    gone: list[weakref.ref[Any]] = [weakref.ref(world), weakref.ref(run), weakref.ref(run._database)]
    del world, run
    gc.collect()
    assert [each() for each in gone] == [None, None, None]
