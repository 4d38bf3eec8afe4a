"""Split a reply that numbers its answers into one section a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...schemas.documents import Question

# "1. ", "2) ", "(3) ", "**1.** ", "## 2: ", "Q1. ", "3 - "
_NUMBER = re.compile(
    r"^ ?(?:#{1,6} *)?[*_]{0,2}(?:Q|Question |Answer )?\(?([0-9]{1,2})(?:[.):]|(?= - )|(?=[*_]{2}))[*_]{0,2}(?:\s|$)",
    re.MULTILINE,
)


def split_sections(reply: str, ask: Sequence[Question]) -> list[dict[str, Any]]:
    """``{n, about, text}`` for each question whose number begins a line of the reply; [] where none does.

    Numbers count in order: a list inside an answer that begins again at 1 stays part of that answer.
    """
    starts: list[tuple[int, re.Match[str]]] = []
    for found in _NUMBER.finditer(reply):
        number = int(found[1])
        if number <= len(ask) and number > (starts[-1][0] if starts else 0):
            starts.append((number, found))
    if not starts or starts[0][0] != 1:
        return []
    ends = [found.start() for _, found in starts[1:]] + [len(reply)]
    return [
        {"n": number, "about": ask[number - 1].about, "text": reply[found.end() : end].strip()}
        for (number, found), end in zip(starts, ends, strict=True)
    ]
