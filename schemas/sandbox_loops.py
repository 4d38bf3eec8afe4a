"""What loops and filters go through, and pay for."""

from __future__ import annotations

from typing import Any

from jinja2.runtime import StrictUndefined

from .errors import TemplateFault
from .sandbox_data import kind_of
from .sandbox_meter import current


def items_of(value: Any) -> list[Any]:
    """What a filter goes through; eight items cost as much as one turn of a loop."""
    found = looped(value)
    current.meter.turn(len(found) // 8 + 1)
    return found


def turns_of(value: Any) -> Any:
    """What ``for`` goes through, one turn at a time."""
    turn = current.meter.turn
    for each in looped(value):
        turn()
        yield each


def looped(value: Any) -> list[Any]:
    """The items of a list, the keys of a mapping, the letters of a text."""
    if isinstance(value, list):
        found = value
    elif isinstance(value, str | tuple | dict):
        found = list(value)
    elif isinstance(value, StrictUndefined):
        return list(value)
    else:
        raise TemplateFault(f"{kind_of(value)} cannot be looped over; use a list")
    current.meter.make_items(len(found))
    return found


def or_default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    """The value, or the default where it is absent (with ``boolean``, also where it is empty)."""
    if isinstance(value, StrictUndefined) or (boolean and not value):
        return default_value
    return value
