"""Copy a value that strict JSON holds as it is, quickly; whatever needs a closer look is left to ``bounded``.

Nearly everything that agents and tools hand over is such a value, and it is looked at several times a run.
"""

from __future__ import annotations

import math
from typing import Any

LONGEST_ESCAPE = 6  # one character, as JSON: \u0001
NUMBER_BYTES = 26
PLAIN_BITS = 64


class NotPlain(Exception):
    """The value is of a kind, a depth or a size that wants a closer look."""


class PlainCopy:
    """One walk. ``room`` is what the copy may still take as JSON, reckoned so that it can only be too small."""

    __slots__ = ("_deepest", "_room")

    def __init__(self, room: int, deepest: int) -> None:
        self._room = room
        self._deepest = deepest

    def of(self, value: object, depth: int = 0) -> Any:
        """The value, its containers copied. Raises NotPlain; a cycle is one of those, for it is too deep."""
        kind = type(value)  # exactly: a subclass may answer as it likes
        if kind is str:
            return self._text(value)
        if kind is dict or kind is list:
            if depth >= self._deepest:
                raise NotPlain
            self._take(4)
            depth += 1
            if kind is list:
                return [self.of(item, depth) for item in value]  # type: ignore[attr-defined]  # it is a list
            return {self._text(key): self.of(member, depth) for key, member in value.items()}  # type: ignore[attr-defined]  # a dict
        if value is None or kind is bool:
            self._take(8)
            return value
        if (kind is int and value.bit_length() <= PLAIN_BITS) or (kind is float and math.isfinite(value)):  # type: ignore[attr-defined,arg-type]  # numbers
            self._take(NUMBER_BYTES)
            return value
        raise NotPlain

    def _text(self, text: Any) -> str:
        if type(text) is not str:
            raise NotPlain
        self._take(LONGEST_ESCAPE * len(text) + 4)
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise NotPlain from None
        return text

    def _take(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            raise NotPlain
