"""``world`` checks ask the final world of the trace, and types are strict."""

from __future__ import annotations

from typing import Any

import pytest
from kit.judged import check, orders, state, told, trace

WORLD = orders({"id": "A", "qty": 1, "price": 1.0, "paid": True})
EVIDENCE = trace("x", world=state({"id": "A", "qty": 1, "price": 1.0, "paid": True}, {"id": "B", "qty": 2}))


@pytest.mark.parametrize(
    ("sql", "expected", "passed", "detail"),
    [
        ("SELECT count(*) FROM orders", 2, True, "the query gave 2"),
        ("SELECT count(*) FROM orders", 3, False, "the query gave 2, not 3"),
        ("SELECT qty FROM orders WHERE id = 'A'", True, False, "the query gave 1 (integer), not true (boolean)"),
        ("SELECT qty FROM orders WHERE id = 'A'", 1.0, False, "the query gave 1 (integer), not 1.0 (real)"),
        ("SELECT qty FROM orders WHERE id = 'A'", "1", False, 'the query gave 1 (integer), not "1" (text)'),
        ("SELECT price FROM orders WHERE id = 'A'", 1.0, True, "the query gave 1.0"),
        ("SELECT note FROM orders WHERE id = 'A'", None, True, "the query gave null"),
        ("SELECT id FROM orders WHERE id = 'A'", "A", True, 'the query gave "A"'),
        ("SELECT id FROM orders WHERE id = 'Z'", "A", False, "the query gave no row, one value expected"),
        ("SELECT id FROM orders", "A", False, "the query gave 2 rows, one value expected"),
        (
            "SELECT id, qty FROM orders",
            [{"id": "A", "qty": 1}, {"id": "B", "qty": 2}],
            True,
            "the query gave 2 rows as expected",
        ),
        (
            "SELECT id, qty FROM orders",
            [{"id": "A", "qty": 1}],
            False,
            'the query gave 2 rows, not 1: [{"id":"A","qty":1},{"id":"B","qty":2}]',
        ),
        (
            "SELECT id, qty FROM orders",
            [{"id": "A", "qty": 1}, {"id": "B", "qty": "2"}],
            False,
            'row 2: qty: gave 2 (integer), not "2" (text)',
        ),
        ("SELECT id FROM orders", [{"id": "B"}, {"id": "A"}], False, 'row 1: id: gave "A", not "B"'),
        ("SELECT id FROM orders WHERE qty > 9", [], True, "the query gave no row as expected"),
        ("SELECT id FROM orders WHERE id = :id", "{{ case.id }}", True, 'the query gave "B"'),
    ],
)
def test_the_query_gives_the_value_types_included(sql: str, expected: Any, passed: bool, detail: str) -> None:
    keys = {"sql": sql, "equals": expected, "name": "q"} | ({"params": {"id": "{{ case.id }}"}} if ":id" in sql else {})
    got = told(EVIDENCE, check("world", **keys), world=WORLD, case={"id": "B"})
    assert (got[0], got[1].removeprefix(f"q (world {sql}): ")) == (passed, detail)
    assert told(EVIDENCE, check("not-world", **keys), world=WORLD, case={"id": "B"})[0] is not passed


def test_several_columns_for_one_value_are_an_error() -> None:
    made = check("world", sql="SELECT id, qty FROM orders WHERE id = 'A'", equals="A", name="q")
    assert told(EVIDENCE, made, world=WORLD) == (
        "error",
        "q (world SELECT id, qty FROM orders WHERE id = 'A'): "
        "the query gives 2 columns (id, qty); select one, or expect rows",
    )


@pytest.mark.parametrize(
    "sql", ["SELECT nope FROM orders", "DELETE FROM orders", "ATTACH 'x' AS y", "SELECT", "SELECT 1; SELECT 2"]
)
def test_sql_that_cannot_be_asked_is_an_error_and_never_a_verdict(sql: str) -> None:
    for type_ in ("world", "not-world"):
        assert told(EVIDENCE, check(type_, sql=sql, equals=1), world=WORLD)[0] == "error"


def test_a_query_without_end_is_an_error() -> None:
    sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    passed, text = told(EVIDENCE, check("world", sql=sql, equals=1), world=WORLD)
    assert (passed, "longer than 1 s" in text) == ("error", True)


def test_a_cut_table_decides_nothing() -> None:
    cut = trace("x", world=state({"id": "A"}, cut=True, total=9000))
    assert told(cut, check("world", sql="SELECT count(*) FROM orders", equals=1), world=WORLD)[0] == "error"
    assert told(cut, check("world", sql="SELECT 1", equals=1), world=WORLD)[0] is True
    for expression in ("world.orders | length == 1", "world['orders']", "world | length"):
        assert told(cut, check("expr", that=expression), world=WORLD) == (
            "error",
            f"expr {expression}: table orders is cut: the trace holds 1 of 9000 of its rows",
        )
    assert told(cut, check("expr", that="reply == 'x'"), world=WORLD)[0] is True
    assert told(cut, check("equals", of="world.orders[0].id", value="A"), world=WORLD)[0] == "error"
    assert told(cut, check("equals", value="{{ world.orders[0].id }}"), world=WORLD)[0] == "error"
    assert told(cut, check("mentions", value="x", when="world.orders"), world=WORLD)[0] == "error"


def test_expressions_see_the_final_rows() -> None:
    assert (
        told(EVIDENCE, check("expr", that="world.orders | map(attribute='id') | list == ['A', 'B']"), world=WORLD)[0]
        is True
    )
