"""The methods of text, lists and mappings that an expression may call: harmless ones, and what they make is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any

from .errors import TemplateFault
from .sandbox_data import pay_for, small, text_of, weigh
from .sandbox_meter import LARGEST_TEXT, current
from .sandbox_operators import SEQUENCES

MOST_STEPS = 50_000_000  # of a search that may look at each letter for each letter


class Method:
    """A method bound to its owner, to be called by a template and by nobody else."""

    __slots__ = ("function", "owner")

    def __init__(self, function: Callable[..., Any], owner: Any) -> None:
        self.function = function
        self.owner = owner

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return pay_for(self.function(self.owner, *args, **kwargs))


def replace(text: str, old: str, new: str, count: int = -1) -> str:
    found = text.count(old)
    times = found if count < 0 else min(found, count)
    current.meter.make(len(text) + max(0, times * (len(new) - len(old))))
    return text.replace(old, new, count)


def join(glue: str, items: Any) -> str:
    """Like ``str.join``, but anything that has a text may be joined."""
    if not isinstance(items, str | list | tuple | dict):
        raise TemplateFault("join takes a list; give it one")
    texts = [text_of(item) for item in items]
    current.meter.make(sum(map(len, texts)) + len(glue) * len(texts))
    return glue.join(texts)


def _padded(pad: Callable[..., str]) -> Callable[..., str]:
    def padded(text: str, width: int, fill: str = " ") -> str:
        current.meter.make(max(len(text), small(width, LARGEST_TEXT)))
        return pad(text, width, fill)

    return padded


def _zfill(text: str, width: int) -> str:
    current.meter.make(max(len(text), small(width, LARGEST_TEXT)))
    return text.zfill(width)


def _searched(search: Callable[..., Any]) -> Callable[..., Any]:
    """A search from the right, or a strip: slow where both texts are long."""

    def searched(text: str, wanted: str | None = None, *args: Any) -> Any:
        if wanted is None:
            return search(text)
        if len(text) * len(wanted) > MOST_STEPS:
            raise TemplateFault("both texts are too long for this search; look for less")
        return search(text, wanted, *args)

    return searched


class _Format(Formatter):
    """``'{:>8}'.format(x)``: plain fields only, and every width counted."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        if "." in field_name or "[" in field_name:
            raise TemplateFault("a format reaches into its argument; give it the value itself")
        key = int(field_name) if field_name.isdigit() else field_name
        return self.get_value(key, args, kwargs), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        digits = "".join(letter if letter.isdigit() else " " for letter in format_spec).split()
        width = sum(small(int(each[:12]), LARGEST_TEXT) for each in digits)
        weigh(value, LARGEST_TEXT)
        current.meter.make(width)
        text: str = format(value, format_spec) if format_spec else text_of(value)
        current.meter.make(len(text))
        return text

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion:
            raise TemplateFault("a format converts with '!'; leave it out")
        return value


def _format(text: str, *args: Any, **kwargs: Any) -> str:
    return _Format().vformat(text, args, kwargs)


def _items(mapping: dict[Any, Any]) -> list[list[Any]]:
    return [[key, member] for key, member in mapping.items()]


def _get(mapping: dict[Any, Any], key: Any, default: Any = None) -> Any:
    return mapping.get(key, default) if isinstance(key, str | int | float | bool | None) else default


def _index(items: Any, wanted: Any, *limits: int) -> int:
    weigh(items)
    weigh(wanted)
    return int(items.index(wanted, *limits))


def _count(items: Any, wanted: Any) -> int:
    weigh(items)
    weigh(wanted)
    return int(items.count(wanted))


_PLAIN_TEXT = (
    "capitalize casefold count endswith find index isalnum isalpha isascii isdecimal isdigit isidentifier islower "
    "isnumeric isprintable isspace istitle isupper lower partition removeprefix removesuffix split splitlines "
    "startswith swapcase title upper"
)
_SLOW_SEARCH = "strip lstrip rstrip rfind rindex rsplit rpartition"
TEXT_METHODS: dict[str, Callable[..., Any]] = {
    **{name: getattr(str, name) for name in _PLAIN_TEXT.split()},
    **{name: _searched(getattr(str, name)) for name in _SLOW_SEARCH.split()},
    **{name: _padded(getattr(str, name)) for name in ("center", "ljust", "rjust")},
    "zfill": _zfill,
    "replace": replace,
    "join": join,
    "format": _format,
}
MAPPING_METHODS: dict[str, Callable[..., Any]] = {
    "items": _items,
    "keys": list,
    "values": lambda mapping: list(mapping.values()),
    "get": _get,
}
LIST_METHODS: dict[str, Callable[..., Any]] = {"index": _index, "count": _count}


def method_of(owner: Any, name: str) -> Method | None:
    """The method of that name, or None where the owner has none that a template may use."""
    if isinstance(owner, str):
        found = TEXT_METHODS.get(name)
    elif isinstance(owner, dict):
        found = MAPPING_METHODS.get(name)
    elif isinstance(owner, SEQUENCES):
        found = LIST_METHODS.get(name)
    else:
        return None
    return None if found is None else Method(found, owner)
