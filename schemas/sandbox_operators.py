"""Operators of expressions that know what they would make before they make it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from jinja2.runtime import StrictUndefined

from .errors import TemplateFault
from .sandbox_data import ATOMS, kind_of, pay_for, text_of, weigh
from .sandbox_meter import LARGEST_TEXT, MOST_BITS, current

SEQUENCES = (list, tuple)
_DIGITS = re.compile(r"\d+")


def add(left: Any, right: Any) -> Any:
    if isinstance(left, str) and isinstance(right, str):
        current.meter.make(len(left) + len(right))
    elif isinstance(left, SEQUENCES) and isinstance(right, SEQUENCES):
        current.meter.make_items(len(left) + len(right))
        return [*left, *right]
    return pay_for(left + right)


def multiply(left: Any, right: Any) -> Any:
    if isinstance(left, int) and not isinstance(right, int):
        left, right = right, left
    if isinstance(right, int) and isinstance(left, str):
        current.meter.make(len(left) * max(0, right))
    elif isinstance(right, int) and isinstance(left, SEQUENCES):
        current.meter.make_items(len(left) * max(0, right))
    elif isinstance(left, int) and isinstance(right, int):
        _not_longer(left.bit_length() + right.bit_length())
    return left * right


def power(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int) and abs(left) > 1:
        _not_longer(left.bit_length() * abs(right))
    value = left**right
    if isinstance(value, complex):
        raise TemplateFault("a root of a negative number; use a positive one")
    return value


def remainder(left: Any, right: Any) -> Any:
    return percent(left, right) if isinstance(left, str) else left % right


def percent(form: str, values: Any) -> str:
    """``'%s: %d' % (name, count)``."""
    if "*" in form:
        raise TemplateFault("a width of * in a format; write the width as a number")
    widths = sum(int(digits[:9]) for digits in _DIGITS.findall(form))
    given = values if isinstance(values, tuple) else (values,)
    longest = sum(4 * weigh(value, LARGEST_TEXT) for value in given)
    current.meter.make(len(form) + widths + form.count("%") * longest)
    return str(form % values)


def concatenate(*values: Any) -> str:
    """The operator ``~``."""
    texts = [text_of(value) for value in values]
    current.meter.make(sum(map(len, texts)))
    return "".join(texts)


def cut(value: Any, start: Any, stop: Any, step: Any) -> Any:
    """``value[start:stop:step]``."""
    if isinstance(value, StrictUndefined):
        return value
    if not isinstance(value, str | list | tuple):
        raise TemplateFault(f"{kind_of(value)} cannot be sliced; slice a text or a list")
    return pay_for(value[start:stop:step])


def equal(left: Any, right: Any) -> bool:
    return bool(_weighed(left, right, operator.eq))


def contains(item: Any, where: Any) -> bool:
    """``item in where``: an absent fact in a list is equal to nothing."""
    if isinstance(where, SEQUENCES):
        present = [each for each in where if not isinstance(each, StrictUndefined)]
        weigh(present)
        weigh(item)
        current.meter.turn(len(present) >> 6)
        return item in present
    if isinstance(where, dict):
        return type(item) in ATOMS and item in where
    if isinstance(where, str) and isinstance(item, str):
        return item in where
    if isinstance(item, StrictUndefined):
        str(item)
    if isinstance(where, str):
        raise TemplateFault(f"'in' asks whether a text holds {kind_of(item)}; write it as text")
    if isinstance(where, StrictUndefined):
        str(where)
    raise TemplateFault(f"'in' looks into {kind_of(where)}; look into a text, a list or a mapping")


def _weighed(left: Any, right: Any, compare: Callable[[Any, Any], Any]) -> Any:
    if type(left) not in ATOMS or type(right) not in ATOMS:
        weigh(left)
        weigh(right)
    return compare(left, right)


def comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], bool]:
    def compared(left: Any, right: Any) -> bool:
        return bool(_weighed(left, right, compare))

    return compared


def _not_longer(bits: int) -> None:
    if bits > MOST_BITS:
        digits = MOST_BITS * 3 // 10
        raise TemplateFault(f"a whole number of more than {digits} digits would be made; use smaller numbers")


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": equal,
    "ne": lambda left, right: not equal(left, right),
    "lt": comparison(operator.lt),
    "lteq": comparison(operator.le),
    "gt": comparison(operator.gt),
    "gteq": comparison(operator.ge),
    "in": contains,
    "notin": lambda item, where: not contains(item, where),
}

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": lambda left, right: pay_for(left - right),
    "*": multiply,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": power,
    "%": remainder,
}
