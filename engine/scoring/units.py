"""Units as people write them beside a number: before or after it, by sign, code or word."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_SPELLINGS = (
    ("EUR", "€", "euro", "euros"),
    ("USD", "$", "US$", "dollar", "dollars"),
    ("GBP", "£", "pound", "pounds"),
    ("JPY", "¥", "yen"),
    ("INR", "₹", "rupee", "rupees"),
    ("CHF", "Fr.", "franc", "francs"),
    ("%", "percent", "per cent"),
    ("°C", "℃", "degrees Celsius"),
    ("°F", "℉", "degrees Fahrenheit"),
)  # fmt: skip

_GAP = r"[\s*_`~|()\[\]:\"'-]"


@lru_cache(maxsize=64)
def spellings(unit: str) -> tuple[str, ...]:
    """The unit and what else it is called; a word may end in s or not."""
    folded = unit.casefold()
    for names in _SPELLINGS:
        if folded in map(str.casefold, names):
            return (unit, *names)
    if len(unit) > 2 and unit.isalpha() and unit.islower():
        return (unit, unit.removesuffix("s"), f"{unit.removesuffix('s')}s")
    return (unit,)


CURRENCIES = tuple(name for names in _SPELLINGS[:6] for name in names)


@lru_cache(maxsize=64)
def unit_after(unit: str) -> re.Pattern[str]:
    """Matches what stands right behind a number of this unit."""
    return re.compile(rf"{_GAP}{{0,4}}(?:{_names(unit)})", re.IGNORECASE)


@lru_cache(maxsize=64)
def unit_before(unit: str) -> re.Pattern[str]:
    """Found at the end of what stands before a number of this unit."""
    return re.compile(rf"(?:{_names(unit)}){_GAP}{{0,4}}$", re.IGNORECASE)


@lru_cache(maxsize=1)
def currency_before() -> re.Pattern[str]:
    """Found at the end of what stands before a number where that is a currency: EUR49.90."""
    return re.compile(rf"(?:{_any(CURRENCIES)})$", re.IGNORECASE)


def _names(unit: str) -> str:
    return _any(spellings(unit))


def _any(names: Iterable[str]) -> str:
    return "|".join(map(_bordered, sorted(set(names), key=len, reverse=True)))


def _bordered(name: str) -> str:
    """A name that begins or ends with a letter is not the middle of a word."""
    begin = r"(?<![^\W\d_])" if name[0].isalpha() else ""
    end = r"(?![^\W_])" if name[-1].isalnum() else ""
    return begin + r"\s+".join(map(re.escape, name.split())) + end
