"""``mentions`` finds words as people read them: on token borders, whatever case, quotes, hyphens and spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.scoring.tokens import mentioned, normalised

THERE = [
    ("20", "costs 20, thanks"),
    ("20", "It is 20."),
    ("20", "20"),
    ("20", "(20)"),
    ("20", '"20"'),
    ("20", "**20**"),
    ("20", "`20`"),
    ("20", "_20_"),
    ("20", "$20"),
    ("20", "20%"),
    ("20", "20 EUR"),
    ("20", "10-20"),
    ("20", "ORD-20"),
    ("20", "- 20 eggs"),
    ("20", "so ...20 then"),
    ("20", "in 20’s style"),
    ("20", "20円"),
    ("20", "约20元"),
    ("20", "２０"),
    ("$20", "US$20"),
    ("-20", "at -20 °C"),
    ("11:00", "at 11:00."),
    ("30 March", "on 30\u00a0 march"),
    ("Ana", "Ana's cat"),
    ("Ana", "ana’s cat"),
    ("Ana's", "ANA’S"),
    ("they", "they’ve left"),
    ("well", "well-known"),
    ("co-op", "the co‑op"),
    ("e-mail", "E–Mail"),
    ("heure", "l'heure"),
    ("straße", "STRASSE"),
    ("café", "cafe\u0301!"),
    ("CAFÉ", "café"),
    ("fine", "ﬁne"),
    ("m²", "5 m2"),
    ("東京", "東京都に住む"),
    ("서울", "서울에서"),
    ("กรุงเทพ", "ไปกรุงเทพแล้ว"),
    ("👍", "ok👍🏽"),
    ("❤", "❤️"),
    ("?", "Really?"),
    ("ops@x.example", "<OPS@x.example>"),
    ("paging.py", "in src/paging.py, line 2"),
    ("so\nit", "so   it"),
    ("zero", "ze\u200bro"),
    ("said “no”", 'SAID "no"'),
]

NOT_THERE = [
    ("20", "2026"),
    ("20", "120"),
    ("20", "20.5"),
    ("20", "1.20"),
    ("20", "1,20"),
    ("20", "20,000"),
    ("20", "20:30"),
    ("20", "20'000"),
    ("20", "-20 °C"),
    ("20", "−20"),
    ("20", "at .20"),
    ("20", "v20"),
    ("20", "20px"),
    ("20", "a_20"),
    ("1.2", "1.2.3"),
    ("cat", "concat"),
    ("cat", "cats"),
    ("can", "I can't"),
    ("can", "I can’t"),
    ("t", "can't"),
    ("client", "client_lookup"),
    ("cafe", "café"),
    ("cafe", "cafe\u0301"),
    ("Ana Keller", "Ana, Keller"),
    ("ORD-1", "ORD-10"),
    ("HB-3", "HB-31"),
    ("no", "know"),
    ("", "anything"),
    ("x", ""),
]


@pytest.mark.parametrize(("value", "text"), THERE)
def test_a_mention_is_found(value: str, text: str) -> None:
    assert mentioned(normalised(text), normalised(value))


@pytest.mark.parametrize(("value", "text"), NOT_THERE)
def test_a_part_of_a_token_is_no_mention(value: str, text: str) -> None:
    assert not mentioned(normalised(text), normalised(value))


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


@given(st.text(), st.text(), st.text())
def test_what_stands_between_spaces_is_mentioned(before: str, value: str, after: str) -> None:
    wanted = normalised(value)
    assert not wanted or mentioned(normalised(f"{before} {value} {after}"), wanted)


@given(st.text(), st.text())
def test_a_mention_is_a_part_of_the_text(text: str, value: str) -> None:
    if mentioned(normalised(text), normalised(value)):
        assert normalised(value) in normalised(text)
