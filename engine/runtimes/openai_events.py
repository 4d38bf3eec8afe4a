"""Read server-sent events as endpoints really send them (WHATWG HTML, 9.2): cut anywhere, commented, loosely ended."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")  # a CR at the very end may be half of a CRLF
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its ``event:`` field, "" without one, and its ``data:`` lines."""

    name: str
    data: tuple[str, ...]


async def server_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[ServerEvent]:
    """The events of a stream, each when it is whole; what stands at the end without a blank line counts too."""
    name, data = "", list[str]()
    async for line in _lines(chunks):
        if not line:
            if data:
                yield ServerEvent(name, tuple(data))
            name, data = "", []
            continue
        key, _, value = line.partition(":")  # a line that begins with a colon is a comment, often a keep-alive
        value = value.removeprefix(" ")
        if key == "data":
            data.append(value)
        elif key == "event":
            name = value
    if data:
        yield ServerEvent(name, tuple(data))


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Lines of text, decoded only when they are whole: a chunk may end inside a character."""
    parts: list[bytes] = []
    first = True
    async for chunk in chunks:
        parts.append(chunk)
        if b"\n" not in chunk and b"\r" not in chunk and not (len(parts) > 1 and parts[-2].endswith(b"\r")):
            continue
        *whole, rest = _LINE_END.split(b"".join(parts))
        parts = [rest]
        for line in whole:
            yield _text(line, first=first)
            first = False
    for line in re.split(rb"\r\n|\n|\r", b"".join(parts)):
        yield _text(line, first=first)
        first = False


def _text(line: bytes, *, first: bool) -> str:
    return (line.removeprefix(_BOM) if first else line).decode("utf-8", "replace")
