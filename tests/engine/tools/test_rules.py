from __future__ import annotations

import pytest
from kit.tool_bench import Bench
from kit.worlds import DESK, NOW, pack, rule, spec, takes, tool
from windtunnel.schemas.codec import UNSET

TEXT = {"type": "string"}
LOOKUP = tool(
    "client_lookup", takes(query=TEXT), rule(sql=("SELECT id, tags FROM clients WHERE name LIKE '%' || :query || '%'",))
)
SEND = tool(
    "email_send",
    takes(to=TEXT, body=TEXT),
    rule(when="'@' not in args.to", error="not an address: {{ args.to }}"),
    rule(
        sql=("INSERT INTO outbox VALUES (:to, :body)",),
        expect_rows=1,
        text="queued, {{ world.outbox | length }} in all",
    ),
)
CLOSE = tool("close", takes(id=TEXT), rule(sql=("UPDATE clients SET orders = 0 WHERE id = :id",), expect_rows=1))


def test_a_rule_without_text_answers_its_rows_as_json() -> None:
    result = Bench(pack(LOOKUP)).call("client_lookup", {"query": "Blue"})
    assert result.rows == [{"id": "C1", "tags": ["a", {"b": None}]}]
    assert result.text == result.content == '[{"id":"C1","tags":["a",{"b":null}]}]'
    assert (result.status, result.error) == ("ok", UNSET)


def test_no_rows_are_an_empty_list() -> None:
    bench = Bench(pack(LOOKUP, CLOSE))
    assert bench.call("client_lookup", {"query": "Green"}).content == "[]"
    assert bench.call("close", {"id": "C1"}).rows == []


def test_the_first_rule_that_holds_answers() -> None:
    bench = Bench(pack(SEND))
    refused, sent, again = (bench.call("email_send", {"to": to, "body": "x"}) for to in ("a.b", "a@b", "c@d"))
    assert (refused.status, refused.error, refused.content) == (
        "error",
        "not an address: a.b",
        "Error: not an address: a.b",
    )
    assert (sent.text, sent.rows) == ("queued, 1 in all", UNSET)
    assert again.text == "queued, 2 in all"
    assert bench.world.tables()["outbox"] == [{"recipient": "a@b", "body": "x"}, {"recipient": "c@d", "body": "x"}]


def test_rows_that_are_missed_are_an_error_and_change_nothing() -> None:
    bench = Bench(pack(CLOSE))
    result = bench.call("close", {"id": "C9"})
    assert (result.status, result.error) == ("error", "1 row had to change, and 0 did; nothing was changed")
    assert bench.host.faults == []


def test_a_text_that_cannot_be_made_undoes_the_statements_of_its_rule() -> None:
    bench = Bench(
        pack(tool("send", takes(), rule(sql=("INSERT INTO outbox VALUES ('a', 'b')",), text="{{ args.nobody }}")))
    )
    result = bench.call("send")
    assert result.status == "error"
    assert bench.world.tables()["outbox"] == []
    assert bench.host.faults == [
        "tool send: the tool is broken: its rule: {{ args.nobody }}: there is no 'nobody': the mapping is empty; "
        "ask `is defined`, or write `| default(...)`"
    ]


def test_call_is_the_tools_own_number_and_counts_the_calls_that_reached_it() -> None:
    first = tool("page", takes(), rule(when="call == 1", text="first"), rule(text="call {{ call }}"))
    bench = Bench(pack(first, LOOKUP))
    bench.call("client_lookup", {"query": "x"})
    bench.call("page", {"unknown": 1})
    assert [bench.call("page").text for _ in range(3)] == ["first", "call 2", "call 3"]
    assert [call.n for call in bench.witness.calls] == [1, 2, 3, 4, 5]


def test_rules_see_vars_case_world_and_now() -> None:
    told = tool("told", takes(), rule(text="{{ vars.client }} {{ case }} {{ world.clients[1].active }} {{ now }}"))
    clock = spec(*DESK.tables.values(), now=NOW)
    assert Bench(pack(told, world=clock)).call("told").text == f"Bluewing {{}} False {NOW}"


def test_an_argument_that_was_left_out_is_null_in_sql_absent_in_texts_and_its_default_where_it_has_one() -> None:
    schema = takes(optional=("note", "limit"), note=TEXT, limit={"type": "integer"})
    told = tool(
        "told",
        schema,
        rule(when="args.note is defined", text="noted"),
        rule(sql=('SELECT :note AS note, :limit AS "limit"',)),
        defaults={"limit": 5},
    )
    bench = Bench(pack(told))
    assert bench.call("told").rows == [{"note": None, "limit": 5}]
    assert bench.call("told", {"note": "x"}).text == "noted"
    assert bench.last.args == {"note": "x"}


def test_lists_and_objects_reach_sql_as_json() -> None:
    schema = takes(tags={"type": "array"})
    tag = tool(
        "tag", schema, rule(sql=("UPDATE clients SET tags = :tags", "SELECT tags FROM clients LIMIT 1"), expect_rows=2)
    )
    assert Bench(pack(tag)).call("tag", {"tags": [1, {"a": "b"}]}).rows == [{"tags": [1, {"a": "b"}]}]


@pytest.mark.parametrize(
    ("sql", "error", "bench_is_to_blame"),
    [
        ("UPDATE clients SET orders = :it", "cannot store TEXT value in INTEGER column clients.orders", False),
        ("SELECT zeroblob(9999999) AS it", "makes a value or a row larger than 1 MiB; make it smaller", False),
        (
            "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS it FROM n",
            "took longer than 1 s and was stopped; make it simpler",
            True,
        ),
    ],
)
def test_sql_that_fails_is_an_error_that_the_agent_sees(
    sql: str, error: str, bench_is_to_blame: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("windtunnel.engine.world.database.TIME_LIMIT_S", 0.05)
    bench = Bench(pack(tool("t", takes(it=TEXT), rule(sql=(sql,)))))
    assert bench.call("t", {"it": "x"}).error == error
    assert bench.host.faults == ([f"tool t: {error}"] if bench_is_to_blame else [])


def test_a_tool_whose_rules_all_stand_aside_says_so() -> None:
    bench = Bench(pack(tool("t", takes(), rule(when="call > 9", text="x"))))
    assert bench.call("t").error == "the tool has no answer for these arguments"
