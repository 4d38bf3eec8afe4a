from __future__ import annotations

import threading
from random import Random

import pytest
from kit.worlds import DESK, prepared
from windtunnel.engine.world import SqlFault, World

ENDLESS = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS it FROM n"


def test_a_thread_that_is_left_in_a_statement_never_touches_the_next_run() -> None:
    world = prepared(DESK)
    left = world.open(Random(1))
    told: list[str] = []
    inside = threading.Event()

    def body() -> None:
        with left.transaction():
            left.write(["INSERT INTO outbox VALUES ('late', 'late')"])
            inside.set()
            try:
                left.query(ENDLESS)
            except SqlFault as fault:
                told.append(str(fault))
        with pytest.raises(SqlFault):
            left.query("SELECT 1 AS one")

    thread = threading.Thread(target=body)
    thread.start()
    inside.wait()
    left.close()
    after = world.open(Random(1))
    assert after.query("SELECT count(*) AS n FROM outbox") == [{"n": 0}]
    thread.join()
    assert len(told) == 1
    assert after.query("SELECT count(*) AS n FROM outbox") == [{"n": 0}]


def test_threads_take_turns_in_one_world() -> None:
    world = prepared(DESK).open(Random(1))

    def add(world: World) -> None:
        for _ in range(50):
            world.write(
                ["UPDATE clients SET orders = orders + 1 WHERE id = 'C2'", "SELECT orders FROM clients"], expect_rows=1
            )

    threads = [threading.Thread(target=add, args=(world,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.query("SELECT orders FROM clients WHERE id = 'C2'") == [{"orders": 200}]
