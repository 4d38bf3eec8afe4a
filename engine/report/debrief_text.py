"""A debrief as text: a line below a result, and all of it where a run is shown; inert, whatever its file says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...schemas.codec import decode
from ...schemas.errors import CodecFault
from ...schemas.input_file import read_input
from .inert import inert, squeezed

WORDS = 400
WIDE = 1200
MOST_ROWS = 20
MOST_BYTES = 4 << 20
SUFFIX = ".debrief.json"
TIMED_OUT = "its debrief timed out; WT_HOOK_CONVERSE_TIMEOUT_S gives it longer"


def debrief_line(agent: str, path: Path) -> str:
    """What the agent said in a debrief, or why it said nothing, on one line; "" where the sidecar tells neither."""
    data = _read(path)
    if words := squeezed(_text(data.get("reply")), WORDS):
        return f"     {agent} says: {words}"
    return f"     {agent} says nothing: {why}" if (why := _silence(data)) else ""


def debrief_lines(trace: Path) -> Iterator[str]:
    """The debrief beside a trace, nothing where there is none: a head line, then its answers by what they are about."""
    data = _read(trace.with_suffix(SUFFIX))
    rows = list(_rows(data))
    if not rows:
        return
    yield f"debrief  {inert(_text(data.get('template')), 100)}".rstrip()
    width = max(len(name) for name, _ in rows[:MOST_ROWS])
    for name, text in rows[:MOST_ROWS]:
        yield f"  {name.ljust(width)}  {text}"
    if len(rows) > MOST_ROWS:
        yield f"  ... and {len(rows) - MOST_ROWS} more"


def _rows(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    sections = _mappings(data.get("sections"))
    for section in sections:
        yield inert(_text(section.get("about")), 40), squeezed(_text(section.get("text")), WIDE)
    if not sections and (reply := squeezed(_text(data.get("reply")), WIDE)):
        yield "says", reply
    for follow_up in _mappings(data.get("follow_ups")):
        yield "asked", squeezed(_text(follow_up.get("prompt")), WIDE)
        yield "says", squeezed(_text(follow_up.get("reply")), WIDE)
    for quote in _mappings(data.get("quotes")):
        witness = "a tool returned it" if quote.get("witnessed") is True else "no tool returned it"
        yield "quotes", f'"{squeezed(_text(quote.get("text")), WORDS)}": {witness}'
    if why := _silence(data):
        yield "broke off", why


def _silence(data: dict[str, Any]) -> str:
    """Why there is no more; "" where nothing went wrong."""
    return TIMED_OUT if data.get("timed_out") is True else squeezed(_text(data.get("error")), WORDS)


def _read(path: Path) -> dict[str, Any]:
    try:
        data: Any = decode(read_input(path, MOST_BYTES))
    except (OSError, CodecFault):
        return {}
    return data if isinstance(data, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
