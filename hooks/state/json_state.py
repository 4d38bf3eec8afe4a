"""Read what a command printed, or an address answered, as a JSON object."""

from __future__ import annotations

from typing import Any

from ...schemas.bounded import clean_text
from ...schemas.codec import CodecFault, decode
from .snapshot import StateProbeFault

MOST_BYTES = 4 << 20
_NAMES = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number", type(None): "null"}


def json_state(data: bytes, who: str, did: str) -> dict[str, Any]:
    """The state by key. ``who`` and ``did`` say whose words these are: "the command `x`", "printed"."""
    remedy = 'let it give a JSON object, such as {"rows": 3}'
    if len(data) > MOST_BYTES:
        raise StateProbeFault(f"{who} {did} more than {MOST_BYTES:,} bytes; let it give less: counts, or digests")
    if not data.strip():
        raise StateProbeFault(f"{who} {did} nothing; {remedy}")
    try:
        found = decode(data)
    except CodecFault:
        begins = clean_text(" ".join(data[:80].decode("utf-8", "replace").split()), 60)
        raise StateProbeFault(f"{who} {did} no JSON, it begins with {begins!r}; {remedy}") from None
    if not isinstance(found, dict):
        raise StateProbeFault(f"{who} {did} {_NAMES.get(type(found), 'a value')}, no mapping; {remedy}")
    return found
