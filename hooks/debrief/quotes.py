"""Check what a reply quotes against what the tools really returned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...schemas.codec import UNSET, encode
from ...schemas.records import Call

MOST_QUOTES = 50
MOST_CHARS = 300
LEAST_CHARS = 4  # shorter ones ("ok", "id") are found in almost any result
MOST_REPLY_CHARS = 256 * 1024
MOST_WITNESSED_CHARS = 8 << 20
_PAIRS = {
    "```": ("```",),
    "`": ("`",),
    '"': ('"',),
    "\u201c": ("\u201d", "\u201c"),  # English, and Swedish or careless
    "\u201d": ("\u201d",),
    "\u201e": ("\u201c", "\u201d"),  # German, Polish
    "\u00ab": ("\u00bb",),  # French
    "\u00bb": ("\u00ab",),  # German books
    "\u2039": ("\u203a",),
    "\u2018": ("\u2019",),
    "'": ("'",),
}
_OPENING = re.compile("```|[`\"\u201c\u201d\u201e\u00ab\u00bb\u2039\u2018']")
_FENCE_LANGUAGE = re.compile(r"[A-Za-z0-9]{1,12}\n")
_SINGLE = frozenset("'\u2018")
_SPACE = re.compile(r"\s+")
_JSON_SPACE = re.compile(r" ?([\[\]{}:,]) ?")
_TYPOGRAPHY = str.maketrans({"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u00a0": " "})
_PUNCTUATION = ".,;:!?\u2026 "


def check_quotes(replies: Iterable[str], calls: Iterable[Call]) -> list[dict[str, Any]]:
    """``{text, witnessed}`` for each distinct quoted string, in order, at most ``MOST_QUOTES``.

    White space and the shape of quotation marks do not matter, nor does a full stop before the closing mark.
    """
    witnessed = _normal("\n".join(_witnessed(calls)))
    found: dict[str, bool] = {}
    for text in _all_quotes(replies):
        if text not in found:
            found[text] = _is_within(text, witnessed)
        if len(found) == MOST_QUOTES:
            break
    return [{"text": text, "witnessed": known} for text, known in found.items()]


def find_quotes(reply: str) -> Iterator[str]:
    """Each quoted string of sensible length; what stands inside a quotation is not quoted again."""
    at = 0
    while (opening := _OPENING.search(reply, at)) is not None:
        start = opening.end()
        end = _closing(reply, opening[0], opening.start(), start)
        if end < 0:
            at = start
            continue
        text = reply[start:end]
        if opening[0] == "```":
            text = _FENCE_LANGUAGE.sub("", text, count=1)
        text = _SPACE.sub(" ", text).strip()
        if len(text.strip(_PUNCTUATION)) >= LEAST_CHARS:
            yield text
        at = end + len(opening[0])


def _all_quotes(replies: Iterable[str]) -> Iterator[str]:
    for reply in replies:
        yield from find_quotes(reply[:MOST_REPLY_CHARS])


def _closing(reply: str, mark: str, opened: int, start: int) -> int:
    """Where the quotation ends, -1 where it does not. A single mark is an apostrophe, but at the border of a word."""
    if mark in _SINGLE and opened and reply[opened - 1].isalnum():
        return -1
    ends = [end for close in _PAIRS[mark] if (end := reply.find(close, start, start + MOST_CHARS + 1)) >= 0]
    end = min(ends, default=-1)
    if end >= 0 and mark != "```" and "\n\n" in reply[start:end]:
        return -1  # it was an inch mark, or was never closed
    while mark in _SINGLE and 0 <= end < len(reply) - 1 and reply[end + 1].isalnum():
        end = reply.find(_PAIRS[mark][0], end + 1, start + MOST_CHARS + 1)
    return end


def _witnessed(calls: Iterable[Call]) -> Iterator[str]:
    left = MOST_WITNESSED_CHARS
    for call in calls:
        for value in (call.text, call.error, call.rows):
            if isinstance(value, str):
                texts = [value]
            elif value is UNSET:
                continue
            else:
                texts = [encode(value).decode(), *_leaves(value)]
            for text in texts:
                yield text[:left]
                left -= len(text)
                if left <= 0:
                    return


def _leaves(value: Any) -> Iterator[str]:
    """The texts and numbers in a value: an agent quotes a cell without its escapes."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
        elif item is not None:
            yield str(item)


def _normal(text: str) -> str:
    return _JSON_SPACE.sub(r"\1", _SPACE.sub(" ", text.translate(_TYPOGRAPHY)))


def _is_within(quote: str, witnessed: str) -> bool:
    return _normal(quote) in witnessed or _normal(quote.strip(_PUNCTUATION)) in witnessed
