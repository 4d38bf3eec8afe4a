"""Text from agents, tools and files is shown, never obeyed: no escape, no line of its own, no hidden direction."""

from __future__ import annotations

import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
KEPT = frozenset("\u200d")  # joins emoji; shows nothing and turns nothing around


def inert(text: str, most: int = 0) -> str:
    """One line without control or format characters, each shown as its escape; cut at ``most`` characters if given."""
    line = "".join(_shown(character) for character in text) if not _plain(text) else text
    if most and len(line) > most:
        line = f"{line[: most - 1]}…"
    return line


def squeezed(text: str, most: int) -> str:
    """As ``inert``, with every run of white space as one blank: for showing a longer text on one line."""
    return inert(" ".join(text[: most * 8].split()), most)


def _plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _shown(character: str) -> str:
    code = ord(character)
    hidden = unicodedata.category(character) in HIDDEN and character not in KEPT
    if not hidden and code & 0xFFFE != 0xFFFE:  # the last two of a plane are no characters, and no XML may hold them
        return character
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or escape
