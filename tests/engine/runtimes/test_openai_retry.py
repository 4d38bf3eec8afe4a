"""How long to wait before a request is made again."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.runtimes.openai_retry import LONGEST_BACKOFF_S, LONGEST_WAIT_S, asked_wait, pause

NOW = datetime(2026, 3, 2, 8, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": " 0 "}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "Mon, 02 Mar 2026 08:00:10 GMT"}, 10.0),
        ({"Retry-After": "Mon, 02 Mar 2026 07:59:00 GMT"}, 0.0),
        ({"Retry-After": "Mon, 02 Mar 2026 08:00:10 GMT", "Date": "Mon, 02 Mar 2026 08:00:08 GMT"}, 2.0),
        ({"Retry-After": "Mon, 02 Mar 2026 08:00:10 GMT", "Date": "yesterday"}, 10.0),
        ({"Retry-After": "Mon, 99 Mar 2026 08:00:10 GMT"}, None),
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
    ],
)
def test_what_an_endpoint_asks_for_is_read_as_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_breaks_the_reading(value: str) -> None:
    wait = asked_wait({"Retry-After": value, "Date": value}, NOW)
    assert wait is None or wait >= 0


def test_backoff_doubles_with_jitter_up_to_its_bound() -> None:
    draw = random.Random(7)
    waits = [pause(attempt, None, draw) for attempt in range(1, 40)]
    for attempt, wait in enumerate(waits, start=1):
        full = min(LONGEST_BACKOFF_S, 0.5 * 2 ** min(attempt - 1, 16))
        assert wait is not None
        assert full / 2 <= wait <= full
    assert len(set(waits)) == len(waits)


def test_what_was_asked_for_is_never_cut_short() -> None:
    wait = pause(1, 10.0, random.Random(7))
    assert wait is not None
    assert 10.0 <= wait <= 10.25


def test_a_longer_wait_than_we_wait_is_no_wait() -> None:
    assert pause(1, LONGEST_WAIT_S + 0.1, random.Random(7)) is None
