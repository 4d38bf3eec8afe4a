"""Server-sent events are read the same however the network cuts them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.runtimes.openai_events import ServerEvent, server_events


def read(*chunks: bytes) -> list[tuple[str, tuple[str, ...]]]:
    async def sent() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def work() -> list[ServerEvent]:
        return [event async for event in server_events(sent())]

    return [(event.name, event.data) for event in asyncio.run(work())]


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("", []),
        ("\n\n\n", []),
        ("data: a\n\n", [("", ("a",))]),
        ("data:a\n\ndata:  b\n\n", [("", ("a",)), ("", (" b",))]),
        ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", [("", ("a",)), ("", ("b",)), ("", ("c",))]),
        (": keep-alive\n\n: ping\ndata: a\n: pong\n\n", [("", ("a",))]),
        ("event: error\ndata: no\n\ndata: a\n\n", [("error", ("no",)), ("", ("a",))]),
        ("event: ping\n\ndata: a\n\n", [("", ("a",))]),
        ("id: 7\nretry: 10\ndata: a\ndata: b\n\n", [("", ("a", "b"))]),
        ("data: a", [("", ("a",))]),
        ("data: a\n", [("", ("a",))]),
        ("data: a\r", [("", ("a",))]),
        ("\ufeffdata: a\n\n\ufeffdata: b\n\n", [("", ("a",))]),
        ("data\n\n", [("", ("",))]),
        ("no colon\nnonsense: x\ndata: {\"a\": \"b: c\"}\n\n", [("", ('{"a": "b: c"}',))]),
        ("data: größe 🙂\n\n", [("", ("größe 🙂",))]),
    ],
)
def test_an_event_is_its_lines_up_to_a_blank_one(text: str, events: list[tuple[str, tuple[str, ...]]]) -> None:
    assert read(text.encode()) == events
    assert read(*(bytes([byte]) for byte in text.encode())) == events


@given(
    st.lists(st.sampled_from(["data: ü🙂", "data:x", "", ": c", "event: e", "id"]), max_size=12),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.data(),
)
def test_where_the_network_cuts_makes_no_difference(lines: list[str], end: str, data: st.DataObject) -> None:
    sent = "".join(line + end for line in lines).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=8)))
    chunks = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert read(*chunks) == read(sent)


def test_bytes_that_are_no_text_are_marked_and_nothing_breaks() -> None:
    assert read(b"data: a\xff\xfeb\n\n") == [("", ("a\ufffd\ufffdb",))]


def test_a_long_line_is_read_though_it_comes_in_many_chunks() -> None:
    assert read(b"data: ", *[b"x" * 1000] * 5000, b"\n\n") == [("", ("x" * 5_000_000,))]
