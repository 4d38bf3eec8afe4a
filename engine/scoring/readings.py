"""Read every number in a text in every way that it can be meant: 1,234 is a thousand and more, or one and a bit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

LONGEST = 1000
MOST_GROUPS = 7

_NUMBER = re.compile(r"(?:[0-9]+(?:[.,'’_٫٬][0-9]+)*|(?<![0-9.])\.[0-9]+)(?:[eE][+-]?[0-9]{1,4}(?![0-9]))?")
_HEAD = re.compile(r"[1-9][0-9]{0,2}")
_TAIL = re.compile(r"([0-9]{3})(?:[.,٫]([0-9]+))?")
_WHOLE = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")  # the second form is Indian
_FIXED_SPACES = "\u00a0\u2007\u2009\u202f"
_SPACES = f" {_FIXED_SPACES}"
_MINUS = "-−﹣－"
_DASH = "–"  # a minus for some, a dash for others
_CURRENCY = "$€£¥₹₽₩₺₪₫฿₴₦"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A number as it stands in the text from ``start`` (its sign) to ``end``; its digits begin at ``digits``."""

    value: Decimal
    start: int
    digits: int
    end: int


def readings(text: str, unit_before: re.Pattern[str]) -> Iterator[Reading]:
    """Every reading of every number, from left to right.

    A number that is glued to letters before it (H2O) is none, unless the letters are its unit or end with it.
    """
    text = _plain_digits(text)
    found = [match for match in _NUMBER.finditer(text) if _stands_alone(text, match, unit_before)]
    whole_until = 0  # a space that does not break a line holds one number together: its parts are none
    for index, match in enumerate(found):
        if match.start() < whole_until:
            continue
        joined = list(_spaced(text, found, index))
        if any(space in text[match.end() : joined[-1][0]] for space in _FIXED_SPACES if joined):
            whole_until = joined[-1][0]
            joined = joined[-1:]
        else:
            joined = [*((match.end(), value) for value in _values(match.group())), *joined]
        for end, value in joined:
            yield from _signed(text, match.start(), end, value)


def _plain_digits(text: str) -> str:
    """Digits of every script as 0 to 9, place by place."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c > "\x7f" and c.isdecimal() else c for c in text)


def _stands_alone(text: str, match: re.Match[str], unit_before: re.Pattern[str]) -> bool:
    start, end = match.span()
    if end - start > LONGEST:
        return False
    if start and text[start - 1].isalpha() and text[start - 1].isascii():
        times = text[start - 1] in "xX" and start > 1 and text[start - 2].isdigit()
        if not times and not unit_before.search(text[max(0, start - 40) : start]):
            return False
    after = end
    while after < len(text) and after - end < 20 and text[after].isalpha():
        after += 1
    return after == end or after == len(text) or not text[after].isdecimal() or text[end:after] in ("x", "X")


def _values(written: str) -> list[Decimal]:
    """What a number without spaces can mean; 1.2.3 and 192.168.1.10 mean none, 1,2,3 is three."""
    body, exponent = re.fullmatch(r"(.*?)((?:[eE].*)?)", written).groups()  # type: ignore[union-attr]
    body = body.replace("٬", ",").replace("٫", ".")
    if "'" in body or "’" in body or "_" in body:
        whole, _, fraction = re.fullmatch(r"([0-9'’_]+)([.,]?)(.*)", body).groups()  # type: ignore[union-attr]
        grouped = re.fullmatch(r"[0-9]{1,3}(?:['’_][0-9]{3})+", whole) and fraction.isdigit() == bool(fraction)
        return [_decimal(re.sub(r"['’_]", "", whole), fraction, exponent)] if grouped else []
    return [_decimal(whole, fraction, exponent) for whole, fraction in _parts(body)]


def _parts(body: str) -> Iterator[tuple[str, str]]:
    """(whole digits, digits after the decimal mark) for each way to read dots and commas."""
    dots, commas = body.count("."), body.count(",")
    if not dots and not commas:
        yield body, ""
    elif dots + commas == 1:
        whole, fraction = re.split("[.,]", body)
        yield whole, fraction
        if len(fraction) == 3 and _HEAD.fullmatch(whole):
            yield whole + fraction, ""
    elif not dots or not commas:
        if _WHOLE.fullmatch(body.replace(".", ",")):
            yield re.sub("[.,]", "", body), ""
        elif not dots:
            yield from ((piece, "") for piece in body.split(","))
    else:
        mark = max(".,", key=body.rfind)
        whole, _, fraction = body.rpartition(mark)
        if mark not in whole and _WHOLE.fullmatch(whole.replace(".", ",")):
            yield re.sub("[.,]", "", whole), fraction
        elif mark == ".":
            for piece in body.split(","):
                yield from _parts(piece) if piece.count(".") < 2 else ()


def _spaced(text: str, found: list[re.Match[str]], index: int) -> Iterator[tuple[int, Decimal]]:
    """(end, value) of numbers whose thousands are set apart by spaces: 1 234,5."""
    whole, end = found[index].group(), found[index].end()
    if not _HEAD.fullmatch(whole):
        return
    for match in found[index + 1 : index + MOST_GROUPS]:
        tail = _TAIL.fullmatch(match.group())
        if tail is None or match.start() != end + 1 or text[end] not in _SPACES:
            return
        whole, end = whole + tail[1], match.end()
        yield end, _decimal(whole, tail[2] or "", "")
        if tail[2]:
            return


def _signed(text: str, digits: int, end: int, value: Decimal) -> Iterator[Reading]:
    """The number with the sign before it: a hyphen after a letter or digit is none, an en dash may be one."""
    start = digits
    while start and text[start - 1] in _CURRENCY:
        start -= 1
    sign = text[start - 1] if start else " "
    bound = start > 1 and (text[start - 2].isalnum() or text[start - 2] in ")]%" + _MINUS)
    if sign in _MINUS and not bound:
        yield Reading(value=-value, start=start - 1, digits=digits, end=end)
        return
    yield Reading(value=value, start=digits, digits=digits, end=end)
    if sign == _DASH and not bound:
        yield Reading(value=-value, start=start - 1, digits=digits, end=end)


def _decimal(whole: str, fraction: str, exponent: str) -> Decimal:
    return Decimal(f"{whole or '0'}.{fraction or '0'}{exponent}" if fraction else f"{whole}{exponent}")
