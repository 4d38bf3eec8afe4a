"""Whatever a model, a tool or a hook hands over becomes text or plain data that strict JSON can hold, cut visibly.

Nothing here raises, whatever the value does when it is looked at; KeyboardInterrupt alone goes through.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any

from .plain_copy import NotPlain, PlainCopy

TEXT_LIMIT = 65_536
VALUE_LIMIT_BYTES = 1 << 20
DEEPEST = 64
LARGEST_NUMBER_BITS = 13_000  # 4,300 digits are the most that Python reads back
LARGEST_WRITTEN_BITS = 220_000
ERROR_TEXT_LIMIT = 200

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")


def clean_text(value: object, limit: int = TEXT_LIMIT) -> str:
    """The value as text without lone surrogates; longer text is cut, and tells its length in characters."""
    text = value if type(value) is str else _as_text(value)
    size = len(text)
    if size > limit:
        text = text[:limit]
    if not text.isascii():
        text = _without_surrogates(text)
    return text if size <= limit else f"{text}… [cut, {size} characters in all]"


def clean_value(value: object, limit_bytes: int = VALUE_LIMIT_BYTES) -> Any:
    """The value as plain data of about ``limit_bytes`` as JSON at most.

    What JSON cannot hold (NaN, bytes, objects, endless digits, cycles, deeper nesting) is kept as text, sets as sorted
    lists, and what is too large is cut: a text says so with the original size.
    """
    try:
        return PlainCopy(limit_bytes, DEEPEST).of(value)
    except (NotPlain, RuntimeError):  # RuntimeError: another thread changes it; the closer look lives with that
        pass
    try:
        return _Cleaner(limit_bytes).clean(value, 0)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - a foreign container may raise anything while it is walked
        return clean_text(value, min(limit_bytes, TEXT_LIMIT))


def describe_error(error: BaseException) -> str:
    """``Type: text``, on one line, the text cut at 200 characters and without addresses."""
    text = clean_text(_ADDRESS.sub("", clean_text(error, 4 * ERROR_TEXT_LIMIT)))
    text = " ".join(text.split("\n")).strip()[:ERROR_TEXT_LIMIT]
    return f"{_type_name(error)}: {text}" if text else _type_name(error)


class _Cleaner:
    """One walk with one budget of bytes; ``above`` holds the containers that the walk is inside of."""

    def __init__(self, budget: int) -> None:
        self.left = budget
        self.above: set[int] = set()

    def clean(self, value: object, depth: int) -> Any:
        self.left -= 2
        if isinstance(value, str):
            return self.text(value)
        if value is None or value is True or value is False:
            self.left -= 5
            return value
        if isinstance(value, int):
            return self.whole_number(value)
        if isinstance(value, float):
            self.left -= 20
            return float.__float__(value) if math.isfinite(value) else float.__repr__(value)
        if isinstance(value, Mapping | list | tuple | set | frozenset):
            return self.inside(value, depth)
        return self.text(value)

    def text(self, value: object) -> str:
        cleaned = clean_text(value, max(0, self.left))
        cost = len(encode_basestring(cleaned).encode())
        if cost > self.left + 64:  # escapes and wide characters: cut again, by what a character costs here
            cleaned = clean_text(value, max(0, self.left * len(cleaned) // cost))
        self.left -= cost
        return cleaned

    def whole_number(self, value: int) -> Any:
        if int.bit_length(value) > LARGEST_NUMBER_BITS:
            return self.text(_digits(value))
        self.left -= int.bit_length(value) // 3 + 1
        return int.__int__(value)

    def inside(self, value: Any, depth: int) -> Any:
        if id(value) in self.above:
            return self.text("… [cut, the value contains itself]")
        if depth >= DEEPEST:
            return self.text(f"… [cut, nested deeper than {DEEPEST}]")
        self.above.add(id(value))
        try:
            return self.members(value, depth) if isinstance(value, Mapping) else self.items(value, depth)
        finally:
            self.above.discard(id(value))

    def items(self, value: Any, depth: int) -> list[Any]:
        cleaned: list[Any] = []
        for item in sorted(value, key=_as_text) if isinstance(value, set | frozenset) else value:
            if self.left <= 0:
                cleaned.append(f"… [cut, {len(value)} items in all]")
                break
            cleaned.append(self.clean(item, depth + 1))
        return cleaned

    def members(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        cleaned: dict[str, Any] = {}
        for key, member in value.items():
            if self.left <= 0:
                cleaned["…"] = f"[cut, {len(value)} members in all]"
                break
            name = self.text(key)
            while name in cleaned:  # 1 and "1" are two keys, and both are kept
                name += "'"
            cleaned[name] = self.clean(member, depth + 1)
        return cleaned


def _as_text(value: object) -> str:
    """``str(value)``, whatever the value does when it is asked; an instant as ISO 8601, bytes as UTF-8."""
    try:
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, bytes | bytearray):
            return bytes(value).decode("utf-8", "replace")
        if isinstance(value, int) and int.bit_length(value) > LARGEST_NUMBER_BITS:
            return _digits(value)
        return str.__str__(value.isoformat() if isinstance(value, date | time) else str(value))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit from a __str__ is no reason to lose a run
        return f"({_type_name(value)}: its text cannot be made, {_type_name(error)})"


def _digits(value: int) -> str:
    """More digits than Python writes by itself; where that would take for ever, how many there are."""
    if int.bit_length(value) <= LARGEST_WRITTEN_BITS:
        return f"{Decimal(value):f}"
    return f"… [cut, a whole number of about {int(int.bit_length(value) * math.log10(2)) + 1} digits]"


def _without_surrogates(text: str) -> str:
    """Halves of a pair are joined; a half that stands alone is written as an escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return joined.encode("utf-8", "backslashreplace").decode()
    return text


def _type_name(value: object) -> str:
    return _without_surrogates(type(value).__name__[:100])
