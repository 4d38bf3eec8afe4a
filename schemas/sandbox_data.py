"""Plain data as an expression handles it: weighed before it is looked at or written, and refused where it is none."""

from __future__ import annotations

import math
from typing import Any

from jinja2.runtime import StrictUndefined

from .errors import TemplateFault
from .sandbox_meter import LARGEST_TEXT, MOST_BITS, MOST_COMPARED, MOST_ITEMS, MOST_NODES, count_of, current

ATOMS = frozenset({str, int, float, bool, type(None)})


def weigh(value: Any, most: int = MOST_COMPARED) -> int:
    """About how many characters the value has as text, each mention counted; a fault if more than ``most``.

    Refuses what is not plain data as well, and asks an undefined value, which then says that it is undefined.
    """
    total, seen, waiting = 0, 0, [value]
    while waiting:
        item = waiting.pop()
        seen += 1
        if isinstance(item, str):
            total += len(item) + 4
        elif isinstance(item, list | tuple):
            total += 4 * len(item) + 2
            _not_over(total, most, seen + len(waiting) + len(item))
            waiting.extend(item)
        elif isinstance(item, dict):
            total += 4 * len(item) + 2
            _not_over(total, most, seen + len(waiting) + 2 * len(item))
            waiting.extend(item)
            waiting.extend(item.values())
        else:
            total += 4 + _weight_of_atom(item)
        _not_over(total, most, seen)
    if total > 4096:
        current.meter.look_at_clock()
    return total


def text_of(value: Any) -> str:
    """The value as a template writes it. Only plain data has a text."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if type(value) in ATOMS:
        _weight_of_atom(value)
        return str(value)
    current.meter.make(weigh(value, LARGEST_TEXT))
    return str(value)


def pay_for(value: Any) -> Any:
    """Pay for a result that is no larger than what it was made of, after it is made."""
    if isinstance(value, str):
        current.meter.make(len(value))
    elif isinstance(value, list | tuple | dict):
        current.meter.make_items(len(value))
    elif type(value) is int:
        _weight_of_atom(value)
    return value


def plain(value: Any) -> Any:
    """The value as plain data: tuples become lists, and what is neither data nor finite is refused."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, list | tuple | dict):
        current.meter.nodes -= len(value)
        _not_over(0, 0, MOST_NODES - current.meter.nodes)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): plain(member) for key, member in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        raise TemplateFault(f"{value} is not a number that JSON has; divide or multiply by less")
    _weight_of_atom(value)
    return value


def small(number: Any, most: int = MOST_ITEMS) -> Any:
    """A width, count or precision; a fault if it is larger than anyone needs."""
    if isinstance(number, int | float) and not abs(number) <= most:
        shown = count_of(number) if isinstance(number, int) else str(number)
        raise TemplateFault(f"the number {shown} is too large here: the limit is {most}; use a smaller one")
    return number


def atom(value: Any) -> Any:
    """A key of a mapping: text, a number, true, false or none."""
    if type(value) in ATOMS or isinstance(value, str):
        return value
    if isinstance(value, StrictUndefined):
        str(value)
    raise TemplateFault(f"{kind_of(value)} cannot be a key; use text or a number")


def kind_of(value: Any) -> str:
    """What a value is, for a sentence."""
    names = {"str": "a text", "int": "a number", "float": "a number", "bool": "true or false", "NoneType": "none"}
    names |= {"list": "a list", "tuple": "a list", "dict": "a mapping", "Macro": "a macro", "Namespace": "a namespace"}
    names |= {"LoopContext": "the loop", "Method": "a method without its ()", "function": "a function without its ()"}
    return names.get(type(value).__name__, f"a {type(value).__name__}")


def _key(key: Any) -> Any:
    return str.__str__(key) if isinstance(key, str) else atom(key)


def _weight_of_atom(value: Any) -> int:
    if isinstance(value, int):
        if value.bit_length() > MOST_BITS:
            raise TemplateFault(f"a whole number of more than {MOST_BITS * 3 // 10} digits; use smaller numbers")
        return 1 + value.bit_length() // 3
    if isinstance(value, StrictUndefined):
        str(value)
    if value is None or isinstance(value, float):
        return 20
    raise TemplateFault(f"{kind_of(value)} is not data; use text, numbers, lists and mappings")


def _not_over(total: int, most: int, nodes: int) -> None:
    if total > most:
        raise TemplateFault(f"more than {most} characters would be looked at or written at once; use less")
    if nodes > MOST_NODES:
        raise TemplateFault(f"more than {MOST_NODES} values would be looked at at once; use less")
