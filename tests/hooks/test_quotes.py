"""What a reply quotes is held against what the tools really returned, whatever marks it quotes with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.hooks.debrief.quotes import MOST_QUOTES, check_quotes, find_quotes
from windtunnel.schemas.records import Call


def call(**facts: Any) -> Call:
    return Call(n=1, turn=1, name="t", args={"query": "only asked"}, status="ok", started_at="", seconds=0.0, **facts)


CALLS = [
    call(text="queued  for\ndelivery"),
    call(error="not an address: bob"),
    call(rows=[{"id": "C-1", "name": 'The "Blue" Wing', "cents": 4990}]),
]


@pytest.mark.parametrize(
    ("reply", "quotes"),
    [
        ('It said "not an address: bob".', ["not an address: bob"]),
        ("It said \u201cnot an address\u201d.", ["not an address"]),
        ("Es sagte \u201enot an address\u201c.", ["not an address"]),
        ("Mówi \u201enot an address\u201d.", ["not an address"]),
        ("Il a dit \u00ab not an address \u00bb.", ["not an address"]),
        ("Er sagte \u00bbnot an address\u00ab.", ["not an address"]),
        ("Il dit \u2039not an address\u203a.", ["not an address"]),
        ("It said \u2018not an address\u2019.", ["not an address"]),
        ("It said 'not an address'.", ["not an address"]),
        ("It said `not an address`.", ["not an address"]),
        ('It said:\n```json\n{"error": "not an address"}\n```\n', ['{"error": "not an address"}']),
        ('Two: "first one" and "second one"', ["first one", "second one"]),
        ("The agent's reply wasn't the user's choice.", []),
        ("It said 'the client's name' to me.", ["the client's name"]),
        ('"ok", "id", `x` and "..." say nothing', []),
        ('A 5" screen broke.\n\nThe "second one" did not.', ["second one"]),
        ('"' * 9, []),
        ('never closed: "not an address', []),
        ('too long: "' + "x" * 400 + '"', []),
        ("", []),
    ],
)
def test_quotations_are_found_in_every_common_shape(reply: str, quotes: list[str]) -> None:
    assert list(find_quotes(reply)) == quotes


@pytest.mark.parametrize(
    ("quote", "witnessed"),
    [
        ("not an address: bob", True),
        ("an address", True),
        ("not an address: bob.", True),  # the full stop before the closing mark is English, not the tool's
        ("queued for delivery", True),
        ("queued\nfor delivery", True),
        ("The \u201cBlue\u201d Wing", True),  # a cell, without its escapes in JSON
        ('{"id": "C-1", "name"', True),  # the rows, as they were sent, however they are spaced
        ("4990", True),
        ("not an address: Bob", False),  # a quotation is exact
        ("only asked", False),  # what the agent itself sent is no witness
        ("Service unavailable", False),
    ],
)
def test_a_quotation_is_witnessed_if_a_tool_returned_it(quote: str, witnessed: bool) -> None:
    mark = "`" if '"' in quote else '"'
    found = check_quotes([f"It said {mark}{quote}{mark}"], CALLS)
    assert [item["witnessed"] for item in found] == [witnessed]


def test_each_quotation_is_listed_once_in_order_over_all_replies() -> None:
    replies = ['"not an address" and "made up"', '"not an address" again, and "queued for"']
    assert check_quotes(replies, CALLS) == [
        {"text": "not an address", "witnessed": True},
        {"text": "made up", "witnessed": False},
        {"text": "queued for", "witnessed": True},
    ]


def test_a_reply_that_quotes_without_end_is_bounded() -> None:
    reply = " ".join(f'"quote number {n}"' for n in range(20_000))
    assert len(check_quotes([reply], CALLS)) == MOST_QUOTES


def test_without_calls_nothing_is_witnessed() -> None:
    assert check_quotes(['"not an address"'], []) == [{"text": "not an address", "witnessed": False}]


@given(st.text(alphabet="ab \n\"'`\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2018\u2019\ud800"))
def test_no_reply_breaks_the_search(reply: str) -> None:
    for quote in find_quotes(reply):
        assert quote.strip() == quote
        assert 4 <= len(quote) <= 301
