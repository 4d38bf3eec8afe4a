"""Foreign values: whatever they are and do, they become plain data that strict JSON holds, within a size."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from windtunnel.schemas.bounded import clean_text, clean_value, describe_error
from windtunnel.schemas.codec import decode, encode


class Silent:
    """Has no text: asking for it ends the process."""

    def __str__(self) -> str:
        raise SystemExit(3)


class Endless(list[int]):
    """A list that never ends."""

    def __iter__(self) -> Any:
        while True:
            yield 1

    def __len__(self) -> int:
        return 7


class Broken(list[int]):
    """A list that cannot be walked."""

    def __iter__(self) -> Any:
        raise SystemExit


class Liar(str):
    """Text that says it is shorter than it is."""

    __slots__ = ()

    def __len__(self) -> int:
        return 0


class LookCloser(dict[str, Any]):
    """No plain dict, so that nothing below it is taken on sight."""

    __slots__ = ()


class Unspeakable(Exception):
    """An error whose text cannot be made."""

    def __str__(self) -> str:
        raise ValueError


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


CYCLE: dict[str, Any] = {}
CYCLE["me"] = CYCLE
STRANGE = st.sampled_from([Silent(), Liar("abc"), b"\xff\x00", {3, 1}, nested(90), 1j])
FOREIGN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=40) | STRANGE,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=5),
    max_leaves=20,
)


@settings(max_examples=60)
@given(FOREIGN, st.integers(0, 4000))
def test_any_value_becomes_json_of_about_the_size_that_was_asked(value: Any, limit: int) -> None:
    cleaned = clean_value(value, limit)
    data = encode(cleaned)
    assert decode(data) == cleaned
    assert len(data) < 4 * limit + 2000


@given(FOREIGN)
def test_what_is_clean_stays_as_it_is(value: Any) -> None:
    cleaned = clean_value(value)
    assert clean_value(cleaned) == cleaned


@given(FOREIGN, st.integers(0, 2000) | st.just(1 << 20))
def test_what_is_taken_on_sight_is_what_a_closer_look_gives(value: Any, limit: int) -> None:
    assert repr(clean_value({"a": value}, limit)) == repr(clean_value(LookCloser(a=value), limit))


def test_a_copy_shares_no_container_with_what_was_handed_over() -> None:
    rows = [{"name": "Zoë", "tags": ["a"], "n": 1, "x": 0.5, "ok": True, "none": None}]
    copy = clean_value(rows)
    assert copy == rows
    assert copy is not rows
    assert copy[0] is not rows[0]
    assert copy[0]["tags"] is not rows[0]["tags"]


@given(st.text(st.characters()), st.integers(0, 20))
def test_clean_text_can_be_written_as_utf_8(text: str, limit: int) -> None:
    assert clean_text(text, limit).encode().decode() == clean_text(text, limit)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ({"b", "a"}, ["a", "b"]),
        (b"caf\xc3\xa9", "café"),
        pytest.param(10**5000, "1" + "0" * 5000, id="many digits"),
        pytest.param(10**100_000, "… [cut, a whole number of about 100001 digits]", id="far too many digits"),
        (datetime(2026, 3, 2, 9, tzinfo=UTC), "2026-03-02T09:00:00+00:00"),
        ("\ud83d\ude00 \ud800", "😀 \\ud800"),
        (CYCLE, {"me": "… [cut, the value contains itself]"}),
        ({1: "a", "1": "b"}, {"1": "a", "1'": "b"}),
        ((1, 2), [1, 2]),
        pytest.param(Silent(), "(Silent: its text cannot be made, SystemExit)", id="no text"),
        ({Silent(): 1}, {"(Silent: its text cannot be made, SystemExit)": 1}),
        (Liar("abc"), "abc"),
        (Broken([1]), "[1]"),
    ],
)
def test_what_json_cannot_hold_is_kept_as_text(value: Any, kept: Any) -> None:
    assert clean_value(value) == kept


def test_a_huge_text_is_cut_with_its_original_size() -> None:
    assert clean_text("x" * 52_428_800, 5) == "xxxxx… [cut, 52428800 characters in all]"
    assert clean_value({"t": "x" * 3_000_000})["t"].endswith("x… [cut, 3000000 characters in all]")


def test_a_text_within_the_limit_is_whole() -> None:
    assert clean_text("x" * 65_536) == "x" * 65_536


def test_a_cut_list_tells_how_many_there_were() -> None:
    assert clean_value(list(range(1000)), 100)[-1] == "… [cut, 1000 items in all]"
    assert clean_value({str(n): n for n in range(1000)}, 100)["…"] == "[cut, 1000 members in all]"


def test_what_is_nested_too_deeply_is_cut() -> None:
    assert "… [cut, nested deeper than 64]" in json.dumps(clean_value(nested(100_000)), ensure_ascii=False)


def test_escapes_count_as_what_they_are_written_as() -> None:
    assert len(encode(clean_value("\0" * 3_000_000))) < 1_100_000


def test_an_endless_list_ends() -> None:
    assert clean_value(Endless(), 1000)[-1] == "… [cut, 7 items in all]"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no"), "ValueError: no"),
        (KeyError("k"), "KeyError: 'k'"),
        (ValueError(), "ValueError"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (ValueError("x" * 1000), "ValueError: " + "x" * 200),
        (ValueError("<object at 0x7f00aa>"), "ValueError: <object>"),
        (SystemExit(2), "SystemExit: 2"),
        (ValueError("\ud800"), "ValueError: \\ud800"),
        (Unspeakable(), "Unspeakable: (Unspeakable: its text cannot be made, ValueError)"),
    ],
)
def test_an_error_is_told_in_one_line(error: BaseException, told: str) -> None:
    assert describe_error(error) == told


def test_an_interrupt_goes_through() -> None:
    class Interrupted:
        def __str__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        clean_text(Interrupted())
    with pytest.raises(KeyboardInterrupt):
        clean_value([Interrupted()])
