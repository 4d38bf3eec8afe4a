from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.worlds import CLIENTS, OUTBOX, opened, prepared, spec, table
from windtunnel.engine.world import SqlFault
from windtunnel.schemas.codec import UNSET, decode, encode
from windtunnel.schemas.records import TableState

MANY = spec(table("many", {"n": "integer"}, *({"n": n} for n in range(100))), OUTBOX)


def test_a_snapshot_holds_the_rows_as_their_columns_declare_them() -> None:
    world = opened()
    world.write(["INSERT INTO outbox VALUES ('a', 'b')"])
    assert world.snapshot() == {
        "clients": TableState(rows=[dict(row) for row in CLIENTS.rows]),
        "outbox": TableState(rows=[{"recipient": "a", "body": "b"}]),
    }


def test_a_large_table_is_cut_visibly_and_costs_the_small_ones_nothing() -> None:
    world = opened(MANY)
    world.write(["INSERT INTO outbox VALUES ('a', 'b')"])
    found = world.snapshot(limit=200)
    assert found["outbox"] == TableState(rows=[{"recipient": "a", "body": "b"}])
    assert (found["many"].cut, found["many"].total) == (True, 100)
    assert found["many"].rows == [{"n": n} for n in range(len(found["many"].rows))]
    assert 0 < len(encode(found["many"].rows)) < 200


def test_a_check_over_a_table_that_was_cut_is_told_so_and_others_are_answered() -> None:
    world = prepared(MANY)
    trace = world.open(Random(1)).snapshot(limit=100)
    scored = world.open_with(trace)
    assert scored.query("SELECT count(*) AS n FROM outbox") == [{"n": 0}]
    for sql in ("SELECT count(*) AS n FROM many", "SELECT 1 AS n FROM outbox WHERE EXISTS (SELECT 1 FROM many)"):
        with pytest.raises(SqlFault) as caught:
            scored.query(sql)
        kept = len(trace["many"].rows)
        assert (
            str(caught.value)
            == f"table 'many' was cut in the trace: {kept} of its 100 rows are there, so no check can read it"
        )
    scored.close()
    assert world.open_with(world.open(Random(1)).snapshot()).query("SELECT count(*) AS n FROM many") == [{"n": 100}]


def test_a_trace_of_another_pack_is_told_apart() -> None:
    world = prepared(MANY)
    scored = world.open_with({"outbox": TableState(rows=[])})
    with pytest.raises(SqlFault, match="table 'many' is not in the trace"):
        scored.query("SELECT n FROM many")
    rows: list[list[dict[str, Any]]] = [[{"m": 1}], [{"n": "one"}]]
    texts = [
        "the rows of table 'many' in the trace have other columns than the pack declares",
        "holds a whole number of 64 bits, not the text 'one'",
    ]
    for wrong, text in zip(rows, texts, strict=True):
        with pytest.raises(SqlFault) as caught:
            world.open_with({"many": TableState(rows=wrong), "outbox": TableState(rows=[])})
        assert str(caught.value) == text
    assert world.open(Random(1)).query("SELECT count(*) AS n FROM many") == [{"n": 100}]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
rows = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.none() | texts,
            "real": st.none() | st.floats(allow_nan=False),
            "flag": st.none() | st.booleans(),
            "json": st.none()
            | st.lists(st.integers(-9, 9) | texts | st.none())
            | st.dictionaries(texts, st.booleans()),
        }
    ),
    max_size=5,
)


@given(rows=rows)
def test_scoring_from_a_trace_sees_the_world_that_the_run_left(rows: list[dict[str, Any]]) -> None:
    world = prepared(spec(table("t", {"text": "text", "real": "real", "flag": "flag", "json": "json"})))
    run = world.open(Random(1))
    for row in rows:
        run.write(["INSERT INTO t VALUES (:text, :real, :flag, :json)"], row)
    final = run.snapshot()
    assert final["t"].cut is UNSET
    from_disk = decode(encode(final), dict[str, TableState])
    scored = world.open_with(from_disk)
    assert scored.tables() == run.tables()
    assert scored.query("SELECT * FROM t") == run.query("SELECT * FROM t")
    world.close()
