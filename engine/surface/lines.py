"""A unified diff of two texts for people: JSON indented, long lines broken, and never more than anybody looks at."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from ...schemas.codec import CodecFault, decode, encode_pretty

WIDTH = 160
MOST_CHARS = 1 << 20
MOST_LINES = 2000
MOST_SHOWN = 400
_SENTENCE = re.compile(r"(?<=[.!?;:]) ")


def diff_lines(recorded: str, found: str) -> list[str]:
    """At most ``MOST_SHOWN`` lines without line ends, and a last one that says what is missing."""
    if len(recorded) > MOST_CHARS or len(found) > MOST_CHARS:
        return [f"(no diff: the text has more than {MOST_CHARS} characters)"]
    before, after = _indented(recorded), _indented(found)
    if before == after:  # what differs is how the JSON is written
        before, after = recorded, found
    old, new = list(_broken(before)), list(_broken(after))
    if len(old) > MOST_LINES or len(new) > MOST_LINES:
        return [f"(no diff: the text has more than {MOST_LINES} lines)"]
    lines = list(difflib.unified_diff(old, new, "recorded", "found", lineterm=""))
    left = len(lines) - MOST_SHOWN
    return lines if left <= 0 else [*lines[:MOST_SHOWN], f"(and {left} lines more)"]


def _indented(text: str) -> str:
    if not text.startswith(("{", "[")):
        return text
    try:
        return encode_pretty(decode(text)).decode().rstrip("\n")
    except CodecFault:
        return text


def _broken(text: str) -> Iterator[str]:
    """A change in a long line must not hide behind its cut, nor move all that follows: break where sentences end."""
    for line in text.split("\n"):
        if len(line) <= WIDTH:
            yield line
            continue
        for sentence in _SENTENCE.split(line):
            yield from (sentence[at : at + WIDTH] for at in range(0, max(1, len(sentence)), WIDTH))
