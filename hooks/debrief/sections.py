"""Split a reply that numbers its answers into one section a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...schemas.hook_documents import Question

# "1. ", "2) ", "(3) ", "**1.** ", "## 2: ", "Q1. ", "3 - " at the beginning of a line
_ON_A_LINE = re.compile(
    r"^ ?(?:#{1,6} *)?[*_]{0,2}(?:Q|Question |Answer )?\(?([0-9]{1,2})(?:[.):]|(?= - )|(?=[*_]{2}))[*_]{0,2}(?:\s|$)",
    re.MULTILINE,
)
# "1. No. 2. Nothing." on one line: a number after the end of a sentence
_IN_A_LINE = re.compile(r"""(?:\A\s*|(?<=[.!?;:)\]"'`*\u201d\u00bb]) +|\n\s*)\(?([0-9]{1,2})[.):](?=\s)""")


def split_sections(reply: str, ask: Sequence[Question]) -> list[dict[str, Any]]:
    """``{n, about, text}`` for each question that the reply numbers; [] where it begins no answer with 1.

    Numbers count in order: a list inside an answer that begins again at 1 stays part of that answer.
    """
    starts = _starts(_ON_A_LINE, reply, len(ask))
    if len(starts) < len(ask):
        starts = max(starts, _starts(_IN_A_LINE, reply, len(ask), gaps=False), key=len)
    ends = [found.start() for _, found in starts[1:]] + [len(reply)]
    return [
        {"n": number, "about": ask[number - 1].about, "text": reply[found.end() : end].strip()}
        for (number, found), end in zip(starts, ends, strict=False)
    ]


def _starts(pattern: re.Pattern[str], reply: str, most: int, *, gaps: bool = True) -> list[tuple[int, re.Match[str]]]:
    """Where each answer begins. ``gaps``: an answer may be left out, the first one aside."""
    starts: list[tuple[int, re.Match[str]]] = []
    for found in pattern.finditer(reply):
        number, last = int(found[1]), len(starts) and starts[-1][0]
        if number <= most and (number == last + 1 or (gaps and starts and number > last)):
            starts.append((number, found))
    return starts
