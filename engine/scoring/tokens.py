"""Find a text in another on token borders, after both are brought to one form: "20" is not in "2026"."""

from __future__ import annotations

import unicodedata

# One way to write each: quotes, apostrophes and hyphens; what is invisible is dropped.
_SAME = {
    **dict.fromkeys(map(ord, "‘’‚‛′ʼ´＇"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»＂"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-"),
    **dict.fromkeys((0xAD, 0xFE0E, 0xFE0F, 0xFEFF)),
    **dict.fromkeys((*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A))),
}

# Scripts whose words are not set apart, or carry their particles: every place in them is a border.
_RUNNING = ((0x0E00, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF),
            (0xF900, 0xFAFF), (0xFF65, 0xFF9F), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF))  # fmt: skip

_INSIDE_NUMBERS = ".,:'"


def normalised(text: str) -> str:
    """Case-folded, NFKC, one form of quotes and hyphens, every run of spaces one space."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME)
        text = unicodedata.normalize("NFKC", text.casefold())
    return " ".join(text.casefold().split())


def mentioned(text: str, value: str) -> bool:
    """Whether the value stands somewhere in the text on token borders; both are ``normalised`` already."""
    start = text.find(value) if value else -1
    while start >= 0:
        end = start + len(value)
        if _begins(text, start) and _ends(text, end):
            return True
        start = text.find(value, start + 1)
    return False


def _begins(text: str, start: int) -> bool:
    """Whether a token may begin at ``start``."""
    first = text[start]
    if start == 0 or not _in_word(first):
        return True
    before = text[start - 1]
    ahead = text[start - 2] if start > 1 else " "
    if before == "_":
        return not _in_word(text[:start].rstrip("_")[-1:] or " ")
    if _in_word(before):
        return _running(first) or _running(before)
    if first.isdigit() and before in _INSIDE_NUMBERS and ahead.isdigit():
        return False
    if first.isdigit() and before in "-.":  # -20 and .20 are other numbers than 20; ORD-20, 1-20 and "... 20" are not
        return _in_word(ahead) or ahead == before
    return not (before == "'" and _in_word(ahead) and _is_t(text, start))


def _ends(text: str, end: int) -> bool:
    """Whether a token may end before ``end``."""
    last = text[end - 1]
    if end == len(text) or not _in_word(last):
        return True
    after = text[end]
    ahead = text[end + 1] if end + 1 < len(text) else " "
    if after == "_":
        return not _in_word(text[end:].lstrip("_")[:1] or " ")
    if _in_word(after):
        return (_running(last) or _running(after)) and not _is_mark(after)
    if last.isdigit() and after in _INSIDE_NUMBERS and ahead.isdigit():
        return False
    return not (after == "'" and _is_t(text, end + 1))


def _is_t(text: str, at: int) -> bool:
    """Whether a lone t stands there: what is before the apostrophe of "can't" is another word, of "Ana's" it is not."""
    return text[at : at + 1] == "t" and not _in_word(text[at + 1 : at + 2] or " ")


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or (character > "\u02ff" and _is_mark(character))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _running(character: str) -> bool:
    return character > "\u0dff" and any(low <= ord(character) <= high for low, high in _RUNNING)
