"""A format that a schema names is asserted, strictly enough that what passes can be used."""

from __future__ import annotations

import pytest
from windtunnel.schemas.formats import FORMATS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("date-time", "2026-03-02T09:00:00+01:00"),
        ("date-time", "2026-03-02t09:00:00.123456789z"),
        ("date", "2028-02-29"),
        ("email", "ops+1@bluewing.example"),
        ("email", "root@localhost"),
        ("uri", "https://host.example/a?b=c#d"),
        ("uri", "urn:isbn:0451450523"),
        ("regex", "^[a-z]+(?=x)"),
    ],
)
def test_what_is_of_a_format_passes(name: str, text: str) -> None:
    assert FORMATS[name](text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("date-time", "2026-03-02"),
        ("date-time", "2026-03-02T09:00:00"),
        ("date-time", "2026-02-30T09:00:00Z"),
        ("date-time", "2026-03-02T25:00:00Z"),
        ("date-time", "0001-01-01T00:00:00+14:00"),
        ("date-time", "2026-03-02T09:00:00+25:00"),
        ("date-time", "٢٠٢٦-03-02T09:00:00Z"),
        ("date-time", "2026-03-02T09:00:00Z\n"),
        ("date", "2026-02-30"),
        ("date", "20260302"),
        ("date", "2026-W10-1"),
        ("email", "ops"),
        ("email", "ops@"),
        ("email", "a b@c.example"),
        ("email", "a@b..example"),
        ("email", f"{'a' * 250}@b.example"),
        ("uri", "host/path"),
        ("uri", "https://a b"),
        ("uri", ""),
        ("regex", "("),
    ],
)
def test_what_is_not_is_refused(name: str, text: str) -> None:
    assert not FORMATS[name](text)
