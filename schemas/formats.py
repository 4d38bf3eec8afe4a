"""Assert the formats that a schema may name; a format that is not here is an annotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import cache

from .errors import PatternFault
from .patterns import compile_pattern

_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_ATOMS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = re.compile(rf"{_ATOMS}@{_LABEL}(?:\.{_LABEL})*")
_LONGEST_EMAIL = 254


def is_instant(text: str) -> bool:
    """RFC 3339 date-time: a real day and time with an offset, within what datetime can hold."""
    if _INSTANT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return False
    return True


def is_day(text: str) -> bool:
    """A real day as YYYY-MM-DD."""
    try:
        return _DAY.fullmatch(text) is not None and date.fromisoformat(text) is not None
    except ValueError:
        return False


def is_email(text: str) -> bool:
    """An address as RFC 5321 has it, without quoted local parts."""
    return len(text) <= _LONGEST_EMAIL and _EMAIL.fullmatch(text) is not None


@cache
def _uri() -> Callable[[str, str], object]:
    # Its pattern takes long to compile.
    from rfc3986_validator import validate_rfc3986  # type: ignore[import-untyped]

    check: Callable[[str, str], object] = validate_rfc3986
    return check


def is_uri(text: str) -> bool:
    """RFC 3986, with a scheme."""
    return bool(_uri()(text, "URI"))


def is_pattern(text: str) -> bool:
    """A regular expression that compiles."""
    try:
        compile_pattern(text)
    except PatternFault:
        return False
    return True


FORMATS: Mapping[str, Callable[[str], bool]] = {
    "date-time": is_instant,
    "date": is_day,
    "email": is_email,
    "uri": is_uri,
    "regex": is_pattern,
}

MEANINGS: Mapping[str, tuple[str, str]] = {
    "date-time": ("is not an instant", "write it as 2026-03-02T09:00:00+01:00, with its offset"),
    "date": ("is not a day", "write it as 2026-03-02"),
    "email": ("is not an email address", "write it as name@host"),
    "uri": ("is not a URI", "write it with its scheme, as https://host/path"),
    "regex": ("is not a regular expression", "mend it, or write a backslash before signs that stand for themselves"),
}
