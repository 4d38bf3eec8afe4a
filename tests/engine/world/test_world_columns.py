from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.worlds import opened, spec, table
from windtunnel.engine.world import SqlFault, cell_fault

TYPED = spec(table("t", {"text": "text", "integer": "integer", "real": "real", "flag": "flag", "json": "json"}))
INSERT = ["INSERT INTO t VALUES (:text, :integer, :real, :flag, :json)"]
EMPTY: dict[str, Any] = {"text": None, "integer": None, "real": None, "flag": None, "json": None}

texts = st.text(st.characters(exclude_categories=["Cs"]))
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(
    text=texts,
    integer=st.integers(-(2**63), 2**63 - 1),
    real=st.floats(allow_nan=False, allow_infinity=False),
    flag=st.booleans(),
    json=st.lists(plain) | st.dictionaries(texts, plain),
)
def test_what_a_tool_writes_is_what_expressions_read(
    text: str, integer: int, real: float, flag: bool, json: Any
) -> None:
    world = opened(TYPED)
    row = {"text": text, "integer": integer, "real": real, "flag": flag, "json": json}
    world.write(INSERT, row, expect_rows=1)
    assert world.tables()["t"] == [row]
    assert world.query("SELECT json FROM t") == [{"json": json}]
    world.close()


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("integer", "three", "cannot store TEXT value in INTEGER column t.integer"),
        ("integer", 1.5, "cannot store REAL value in INTEGER column t.integer"),
        ("real", "x", "cannot store TEXT value in REAL column t.real"),
        ("flag", 2, "CHECK constraint failed: flag holds true or false"),
        ("json", "{not json", "CHECK constraint failed: json holds JSON"),
        ("json", 5, "CHECK constraint failed: json holds JSON"),
        ("integer", 2**63, "is given a number that does not fit into 64 bits"),
        ("text", "\ud800", "is given text that is not valid Unicode"),
        ("text", {1, 2}, "Error binding parameter 1: type 'set' is not supported"),
    ],
)
def test_a_column_refuses_what_it_does_not_hold(column: str, value: Any, text: str) -> None:
    world = opened(TYPED)
    with pytest.raises(SqlFault) as caught:
        world.write(INSERT, {**EMPTY, column: value})
    assert str(caught.value).replace(":text", "1") == text
    assert world.tables()["t"] == []


def test_in_sql_a_flag_is_0_or_1_and_json_is_whole() -> None:
    world = opened(TYPED)
    world.write(INSERT, {**EMPTY, "flag": True, "json": {"a": [1]}})
    sql = "SELECT flag, json AS renamed, json_extract(json, '$.a[0]') AS first, count(*) AS n FROM t WHERE flag = true"
    assert world.query(sql) == [{"flag": 1, "renamed": {"a": [1]}, "first": 1, "n": 1}]


def test_a_number_beyond_all_numbers_is_shown_as_text() -> None:
    world = opened(TYPED)
    world.write(["INSERT INTO t(real) VALUES (9e999), (-9e999)"])
    assert [row["real"] for row in world.tables()["t"]] == ["inf", "-inf"]


def test_text_that_is_not_utf_8_does_not_lose_the_table() -> None:
    world = opened(TYPED)
    world.write(["INSERT INTO t(text) VALUES (CAST(x'61ff62' AS TEXT))"])
    assert world.tables()["t"] == [{**EMPTY, "text": "a\ufffdb"}]


def test_loading_asks_the_same_question() -> None:
    assert cell_fault("integer", 5) is None
    assert cell_fault("integer", None) is None
    assert cell_fault("integer", "5") == "holds a whole number of 64 bits, not the text '5'"
