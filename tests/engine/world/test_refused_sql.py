from __future__ import annotations

from pathlib import Path

import pytest
from kit.worlds import opened
from windtunnel.engine.world import SqlFault

ONLY = "a pack's SQL may only SELECT, INSERT, UPDATE and DELETE"

REFUSED = {
    "ATTACH 'stolen.db' AS stolen": f"uses ATTACH; {ONLY}",
    "DETACH main": f"uses DETACH; {ONLY}",
    "PRAGMA user_version": f"uses PRAGMA; {ONLY}",
    "PRAGMA writable_schema = 1": f"uses PRAGMA; {ONLY}",
    "SELECT * FROM pragma_database_list": f"reads pragma_database_list, which reaches outside the world; {ONLY}",
    "CREATE TABLE more(x)": f"uses CREATE, DROP or ALTER; {ONLY}",
    "CREATE TEMP TABLE more(x)": f"uses CREATE, DROP or ALTER; {ONLY}",
    "CREATE VIRTUAL TABLE more USING fts5(x)": f"uses CREATE, DROP or ALTER; {ONLY}",
    "CREATE TRIGGER t AFTER INSERT ON outbox BEGIN SELECT 1; END": f"uses CREATE, DROP or ALTER; {ONLY}",
    "CREATE INDEX i ON outbox(body)": f"uses CREATE, DROP or ALTER; {ONLY}",
    "DROP TABLE outbox": f"uses CREATE, DROP or ALTER; {ONLY}",
    "ALTER TABLE outbox RENAME TO sent": f"uses CREATE, DROP or ALTER; {ONLY}",
    "BEGIN": f"uses BEGIN, COMMIT and ROLLBACK; {ONLY}",
    "COMMIT": f"uses BEGIN, COMMIT and ROLLBACK; {ONLY}",
    "SAVEPOINT s": f"uses SAVEPOINT; {ONLY}",
    "ANALYZE": f"uses CREATE, DROP or ALTER; {ONLY}",
    "VACUUM": f"does neither read nor write the world; {ONLY}",
    "VACUUM INTO 'stolen.db'": f"does neither read nor write the world; {ONLY}",
    "REINDEX": f"does neither read nor write the world; {ONLY}",
    "SELECT load_extension('x.so')": "calls load_extension, which reaches outside the world; leave it out",
    "SELECT fts3_tokenizer('simple')": "calls fts3_tokenizer, which reaches outside the world; leave it out",
    "SELECT readfile('/etc/passwd')": "no such function: readfile",
    "UPDATE sqlite_master SET sql = 'x'": "table sqlite_master may not be modified",
    "SELECT 1; SELECT 2": "holds more than one statement; write a list of them",
    "SELECT ?": "has a parameter without a name; write :name",
    "EXPLAIN SELECT 1": 'near "EXPLAIN": syntax error',
    "SELEC 1": 'near "SELEC": syntax error',
    "SELECT 'open": 'unrecognized token: "\'open"',
    " \n": "is empty; write a SELECT, INSERT, UPDATE or DELETE",
    "-- nothing": "incomplete input",
    "SELECT * FROM client": "no such table: client; did you mean 'clients'?",
    "SELECT naem FROM clients": "no such column: naem; did you mean 'name'?",
    "SELECT id, name AS id FROM clients": "gives two columns the name 'id'; name one of them otherwise with AS",
    "SELECT :missing AS it": "You did not supply a value for binding parameter :missing.",
}


@pytest.mark.parametrize("sql", REFUSED)
def test_sql_that_may_not_run_is_told_why(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    world = opened()
    with pytest.raises(SqlFault) as caught:
        world.write([sql])
    assert str(caught.value) == REFUSED[sql]
    assert list(tmp_path.iterdir()) == []
    assert len(world.tables()["clients"]) == 2


@pytest.mark.parametrize(
    "sql", ["DELETE FROM clients", "WITH x AS (SELECT 1) INSERT INTO outbox SELECT 'a', 'b' FROM x"]
)
def test_a_query_only_reads_even_after_a_tool_has_run_the_same_statement(sql: str) -> None:
    world = opened()
    world.write([sql])
    after = world.tables()
    with pytest.raises(SqlFault, match="where it may only read; make it a SELECT"):
        world.query(sql)
    assert world.tables() == after


def test_what_reads_the_world_alone_may_run() -> None:
    world = opened()
    assert world.query("SELECT value AS it FROM clients, json_each(clients.tags) WHERE name = 'Bluewing' LIMIT 1") == [
        {"it": "a"}
    ]
    assert world.query(
        "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT sum(x) AS it FROM n"
    ) == [{"it": 6}]
    assert world.query("SELECT printf('%05.1f', 3.14159) AS it, max(id) AS last FROM clients;") == [
        {"it": "003.1", "last": "C2"}
    ]
