"""Count what one rendering does, so that it ends: loop turns, characters made, seconds of work."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

from jinja2.runtime import StrictUndefined

from .errors import TemplateFault

LARGEST_OUTPUT = 256 * 1024  # characters that a rendering may give
LARGEST_TEXT = 1 << 20  # characters of one text inside, as large as a cell of the world may be
MOST_TURNS = 100_000  # loop turns and calls in all
MOST_ITEMS = 100_000  # items of one list
MOST_MADE = 32 << 20  # characters of all texts and lists made on the way (an item counts as 8)
MOST_SECONDS = 0.7  # of this thread's work; leaves room for the last operation to end within 2 s
MOST_PASSED = 1.4  # seconds of the clock on the wall, for a thread that has hardly been let work
MOST_NODES = 300_000  # values that one look at data may come by, each mention counted
MOST_BITS = 13_000  # of a whole number: about as many digits as Python writes
MOST_COMPARED = 4 << 20  # characters that one comparison, sort or key may look at

ATOMS = frozenset({str, int, float, bool, type(None)})


class Meter:
    """What one rendering may still do."""

    __slots__ = ("began", "ends", "made", "nodes", "turns")

    def __init__(self) -> None:
        self.turns = MOST_TURNS
        self.made = MOST_MADE
        self.nodes = MOST_NODES
        self.began = time.perf_counter()
        self.ends = time.thread_time() + MOST_SECONDS

    def turn(self, count: int = 1) -> None:
        """Pay for loop turns or calls."""
        self.turns -= count
        if self.turns < 0:
            raise TemplateFault(f"more than {MOST_TURNS} loop turns and calls; loop over less")
        if not self.turns & 15:
            self.look_at_clock()

    def make(self, size: int) -> None:
        """Pay for a text of so many characters before it is made."""
        if size > LARGEST_TEXT:
            raise TemplateFault(
                f"a text of {_count(size)} characters would be made: the limit is {LARGEST_TEXT}; make less"
            )
        self.made -= size
        if self.made < 0:
            raise TemplateFault(f"more than {MOST_MADE} characters in all would be made on the way; make less")
        if size > 4096:
            self.look_at_clock()

    def make_items(self, count: int) -> None:
        """Pay for a list of so many items before it is made."""
        if count > MOST_ITEMS:
            raise TemplateFault(f"a list of {_count(count)} items would be made: the limit is {MOST_ITEMS}; make less")
        self.make(8 * count)

    def look_at_clock(self) -> None:
        left = self.seconds_left
        if left < 0 or (left < MOST_SECONDS * 0.8 and time.perf_counter() - self.began > MOST_PASSED):
            raise TemplateFault(f"it takes longer than {MOST_SECONDS:g} s of work; make it simpler")

    @property
    def seconds_left(self) -> float:
        return self.ends - time.thread_time()


class _Current(threading.local):
    """The meter of the rendering that this thread is in."""

    def __init__(self) -> None:
        self.meter = Meter()


current = _Current()


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
        shown = _count(number) if isinstance(number, int) else str(number)
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


def _count(number: int) -> str:
    return str(number) if number.bit_length() < 200 else "very many"
