"""Read an answer that comes as a stream, and tell of each piece of its text when it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from ...schemas.bounded import clean_text
from ...schemas.codec import CodecFault, decode_foreign
from ..model_calls import Stream
from .openai_events import ServerEvent, server_events
from .openai_faults import EndpointFault
from .openai_pieces import Pieces
from .openai_wire import ModelReply, body_fault, read_reply

DONE = "[DONE]"
AFTERWARDS_S = 0.25  # for the end of a stream that has said that it is done, so that its connection may be used again


async def read_stream(chunks: AsyncIterator[bytes], told: Stream) -> ModelReply:
    """The whole answer. Raises EndpointFault, also where the stream ends before the model has.

    What turns out to be no stream, though it was asked for, is read as an answer that came whole.
    """
    pieces, begun, done = Pieces(), _Beginning(chunks), False
    events = server_events(begun.chunks())
    async for event in events:
        begun.is_stream = True
        told.start()
        if [line.strip() for line in event.data] == [DONE]:
            done = True
            break
        for chunk in _chunks_of(event):
            told.delta(pieces.add(chunk))
    if not begun.is_stream:
        return read_reply(bytes(begun.raw))
    if not done and not pieces.finished:
        raise EndpointFault("broke off in the middle of its stream", "look at the endpoint's log", retry=True)
    reply = pieces.reply()
    told.end()
    if done:
        await _let_end(events)
    return reply


class _Beginning:
    """Keeps what has come for as long as it may turn out to be no stream."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self.raw = bytearray()
        self.is_stream = False

    async def chunks(self) -> AsyncIterator[bytes]:
        async for chunk in self._chunks:
            if not self.is_stream:
                self.raw += chunk
            yield chunk


def _chunks_of(event: ServerEvent) -> list[Any]:
    """The objects of an event: one, or one a line where an endpoint leaves out the blank lines between them."""
    text = "\n".join(event.data)
    if not text.strip():
        return []
    if event.name == "error":
        raise body_fault(_decoded(text))
    try:
        return [decode_foreign(text)]
    except CodecFault:
        if len(event.data) == 1:
            raise _unreadable(text) from None
    return [_decoded(line) for line in event.data if line.strip() not in ("", DONE)]


def _decoded(text: str) -> Any:
    try:
        return decode_foreign(text)
    except CodecFault:
        raise _unreadable(text) from None


def _unreadable(text: str) -> EndpointFault:
    return EndpointFault(
        f"sent a piece of its stream that cannot be read; it begins: {clean_text(text[:200])}",
        "look at the endpoint's log, or turn `stream` off",
    )


async def _let_end(events: AsyncIterator[ServerEvent]) -> None:
    """Read on to the end for a moment. The answer is whole: however this ends, it stands."""
    try:
        async with asyncio.timeout(AFTERWARDS_S):
            async for _ in events:
                pass
    except Exception:  # noqa: BLE001, S110 - a broken end costs the connection and nothing else
        pass
