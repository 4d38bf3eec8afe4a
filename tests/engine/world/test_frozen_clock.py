from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.worlds import DESK, NOW, opened, spec
from windtunnel.engine.world import SqlFault

CLOCK = spec(*DESK.tables.values(), now=NOW)

ASKING = {
    "date()": "2026-03-02",
    "time()": "08:00:00",
    "datetime()": "2026-03-02 08:00:00",
    "unixepoch()": 1772438400,
    "julianday()": 2461101.8333333335,
    "strftime('%H:%M')": "08:00",
    "date('now')": "2026-03-02",
    "DATE('NOW', '+1 day', 'start of month')": "2026-03-01",
    "time('Now', '+90 minutes')": "09:30:00",
    "datetime('n' || 'ow')": "2026-03-02 08:00:00",
    "unixepoch(x'6e6f77')": 1772438400,
    "unixepoch('now' || char(0) || 'x')": 1772438400,
    "strftime('%s', 'now')": "1772438400",
    "datetime('now', 'localtime')": "2026-03-02 09:00:00",
    "datetime('2026-03-02 09:00:00', 'utc')": "2026-03-02 08:00:00",
    "CURRENT_TIMESTAMP": "2026-03-02 08:00:00",
    "current_date": "2026-03-02",
    "Current_Time": "08:00:00",
}


@pytest.mark.parametrize("sql", ASKING)
def test_every_way_to_ask_for_now_is_told_the_declared_instant(sql: str) -> None:
    assert opened(CLOCK).query(f"SELECT {sql} AS it") == [{"it": ASKING[sql]}]


@pytest.mark.parametrize("sql", ASKING)
def test_without_a_declared_clock_asking_for_now_is_a_fault(sql: str) -> None:
    with pytest.raises(SqlFault) as caught:
        opened(DESK).query(f"SELECT {sql} AS it")
    assert str(caught.value) == "asks for the time, and no clock is declared; give the world a `now:`"


def test_now_may_be_written_into_the_world() -> None:
    world = opened(CLOCK)
    world.write(["INSERT INTO outbox VALUES (CURRENT_DATE, datetime(:when))"], {"when": "now"})
    assert world.tables()["outbox"] == [{"recipient": "2026-03-02", "body": "2026-03-02 08:00:00"}]


times = st.sampled_from(
    ["2026-03-29T01:30:00+01:00", "2026-02-29", "12:00", "2461101.5", 2461101.25, 1772438400, None, "", "nowhere"]
)
modifiers = st.lists(
    st.sampled_from(["+1 day", "-3 months", "start of year", "weekday 1", "unixepoch", "auto", "+01:00", "x"]),
    max_size=3,
)


@given(function=st.sampled_from(["date", "time", "datetime", "julianday", "unixepoch"]), time=times, after=modifiers)
def test_a_time_that_is_given_is_read_as_sqlite_reads_it(function: str, time: object, after: list[str]) -> None:
    args = {f"p{at}": value for at, value in enumerate([time, *after])}
    sql = f"SELECT {function}({', '.join(':' + name for name in args)}) AS it"
    plain = sqlite3.connect(":memory:")
    assert opened(DESK).query(sql, args)[0]["it"] == plain.execute(sql, args).fetchone()[0]
    plain.close()


def test_chance_follows_the_seed() -> None:
    sql = "SELECT random() AS number, hex(randomblob(4)) AS bytes, length(randomblob(0)) AS least"
    assert opened(seed=7).query(sql) == opened(seed=7).query(sql)
    assert opened(seed=7).query(sql) != opened(seed=8).query(sql)
    assert opened().query(sql)[0]["least"] == 1
