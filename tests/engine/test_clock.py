"""Instants are written in one form each, to the microsecond and in UTC, so that text sorts as time does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.clock import iso, stamp

LOCAL = datetime(2026, 3, 2, 9, 0, tzinfo=timezone(timedelta(hours=1)))


def test_an_instant_is_told_in_utc_with_six_digits() -> None:
    assert iso(LOCAL) == "2026-03-02T08:00:00.000000Z"
    assert stamp(LOCAL) == "20260302T080000000000Z"


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_stamps_sort_as_instants_do(one: datetime, other: datetime) -> None:
    assert (stamp(one) < stamp(other)) == (one < other)
    assert (iso(one) < iso(other)) == (one < other)
