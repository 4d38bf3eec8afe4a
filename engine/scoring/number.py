"""Check that a text gives a number, however its thousands, decimals, sign and unit are written."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from ...schemas.scenario_documents import Check
from .base import Args, Fact, GraderFault
from .evidence import Evidence
from .readings import Reading, readings
from .shown import shown, typed
from .text import looked_at
from .units import currency_before, unit_after, unit_before

MOST_TOLD = 5


def number(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """a number in the text is the value, within the tolerance and with the unit; any reading that matches holds"""
    value, tolerance = decimal(args["value"], "value"), abs(decimal(args.get("tolerance", 0), "tolerance"))
    unit = str(args.get("unit") or "").strip()
    found = looked_at(check, seen)
    told: dict[str, None] = {}
    for text in found:
        for reading in readings(text, unit_before(unit) if unit else currency_before()):
            if unit and not _has_unit(text, reading, unit):
                continue
            if value - tolerance <= reading.value <= value + tolerance:
                what = f'"{_written(text, reading, unit)}" in {seen.place(check)} reads as {shown(reading.value)}'
                yield Fact(holds=True, what=what, expected=args["value"], found=text[reading.start : reading.end])
                return
            if len(told) <= MOST_TOLD:
                told[shown(reading.value)] = None
    yield Fact(holds=False, what=_missing(list(told), unit, seen.place(check)), expected=args["value"], found=found[0])


def decimal(value: Any, name: str) -> Decimal:
    """A number as it is written; a template may give it as text. Raises GraderFault."""
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            read = Decimal(str(value).strip())
        except (InvalidOperation, ValueError):
            read = Decimal("NaN")
        if read.is_finite():
            return read
    raise GraderFault(f"{name} is no number: {typed(value)}")


def _has_unit(text: str, reading: Reading, unit: str) -> bool:
    if unit_after(unit).match(text, reading.end):
        return True
    before = unit_before(unit)
    return any(before.search(text[max(0, at - 40) : at]) for at in {reading.start, reading.digits})


def _written(text: str, reading: Reading, unit: str) -> str:
    """The number as it stands there, with its unit where that follows."""
    after = unit_after(unit).match(text, reading.end) if unit else None
    return " ".join(text[reading.start : after.end() if after else reading.end].split())


def _missing(told: list[str], unit: str, place: str) -> str:
    kind = f"number in {unit}" if unit else "number"
    if not told:
        return f"no {kind} in {place}"
    more = " and more" if len(told) > MOST_TOLD else ""
    return f"not in {place}, which has {', '.join(told[:MOST_TOLD])}{more}{f' with {unit}' if unit else ''}"
