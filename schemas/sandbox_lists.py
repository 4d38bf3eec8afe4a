"""The filters over lists: each gives a list at once, so that its length, its truth and its text are those of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2.runtime import StrictUndefined

from .errors import TemplateFault
from .nearest import did_you_mean
from .sandbox_access import Absent, by_path
from .sandbox_data import kind_of, pay_for, small
from .sandbox_loops import items_of, or_default
from .sandbox_meter import MOST_ITEMS, current
from .sandbox_methods import join as joined
from .sandbox_operators import add
from .sandbox_order import ORDER_FILTERS
from .sandbox_tests import call_test
from .sandbox_text import TEXT_FILTERS


def _batch(value: Any, linecount: int, fill_with: Any = None) -> list[Any]:
    size = max(1, int(small(linecount)))
    items = items_of(value)
    rows = [items[at : at + size] for at in range(0, len(items), size)]
    if rows and fill_with is not None:
        rows[-1] = rows[-1] + [fill_with] * (size - len(rows[-1]))
    current.meter.make_items(size)
    return rows


def _slice(value: Any, slices: int, fill_with: Any = None) -> list[Any]:
    count = max(1, int(small(slices)))
    items = items_of(value)
    current.meter.make_items(count)
    each, more = divmod(len(items), count)
    rows, at = [], 0
    for number in range(count):
        size = each + (number < more)
        row = items[at : at + size]
        rows.append([*row, fill_with] if fill_with is not None and more and number >= more else row)
        at += size
    return rows


def _ends(last: bool) -> Callable[[Any], Any]:
    def end(value: Any) -> Any:
        items = value if isinstance(value, str) else items_of(value)
        if not items:
            return Absent(hint="the list is empty: it has no first and no last item; write `| default(...)`")
        return items[-1 if last else 0]

    return end


def _items(value: Any) -> list[Any]:
    if isinstance(value, StrictUndefined):
        return []
    if not isinstance(value, dict):
        raise TemplateFault(f"{kind_of(value)} has no items; use a mapping")
    return [list(pair) for pair in value.items()]


def _join(value: Any, d: Any = "", attribute: Any = None) -> str:
    items = items_of(value)
    taken = items if attribute is None else [by_path(attribute)(each) for each in items]
    return joined(TEXT_FILTERS["string"](d), taken)


def _length(value: Any) -> int:
    if isinstance(value, str | list | tuple | dict | StrictUndefined):
        return len(value)
    raise TemplateFault(f"{kind_of(value)} has no length; use a text, a list or a mapping")


def _map(value: Any, *args: Any, **kwargs: Any) -> list[Any]:
    if not args and "attribute" in kwargs:
        take, missing = by_path(kwargs.pop("attribute")), kwargs.pop("default", None)
        if kwargs:
            raise TemplateFault(f"map takes no {next(iter(kwargs))!r}; it takes attribute and default")
        if missing is None:
            return [take(each) for each in items_of(value)]
        return [or_default(take(each), missing) for each in items_of(value)]
    name, *rest = args or ("",)
    change = LIST_FILTERS.get(name) if isinstance(name, str) else None
    if change is None:
        hint = did_you_mean(str(name)[:60], LIST_FILTERS, what="filters")
        raise TemplateFault(f"map knows no filter {str(name)[:60]!r}; {hint}")
    return [_once(change, each, rest, kwargs) for each in items_of(value)]


def _once(change: Callable[..., Any], each: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    current.meter.turn()
    return change(each, *args, **kwargs)


def _reverse(value: Any) -> Any:
    return pay_for(value[::-1]) if isinstance(value, str) else items_of(value)[::-1]


def _chosen(keep: bool, by_attribute: bool) -> Callable[..., list[Any]]:
    """The four filters select, reject, selectattr and rejectattr: an absent value passes no test but ``undefined``."""

    def chosen(value: Any, *args: Any, **kwargs: Any) -> list[Any]:
        take, rest = (by_path(args[0] if args else None), args[1:]) if by_attribute else (None, args)
        name, *wanted = rest or ("truthy",)
        kept = []
        for each in items_of(value):
            current.meter.turn()
            if call_test(name, each if take is None else take(each), wanted, kwargs) is keep:
                kept.append(each)
        return kept

    return chosen


def _sum(value: Any, attribute: Any = None, start: Any = 0) -> Any:
    take = None if attribute is None else by_path(attribute)
    items = [each if take is None else take(each) for each in items_of(value)]
    if isinstance(start, list | tuple):
        return _flat(start, items)
    for each in items:
        start = add(start, each)
    return start


def _flat(start: Any, items: list[Any]) -> list[Any]:
    """Lists put together in one go; one by one would copy the first of them again and again."""
    total = list(start)
    for each in items:
        if not isinstance(each, list | tuple):
            add(total, each)
        current.meter.make_items(len(each))
        total.extend(each)
        if len(total) > MOST_ITEMS:
            current.meter.make_items(len(total))
    return total


def _list(value: Any) -> list[Any]:
    return list(items_of(value))


LIST_FILTERS: dict[str, Callable[..., Any]] = {
    **TEXT_FILTERS,
    **ORDER_FILTERS,
    "batch": _batch,
    "count": _length,
    "d": or_default,
    "default": or_default,
    "first": _ends(last=False),
    "items": _items,
    "join": _join,
    "last": _ends(last=True),
    "length": _length,
    "list": _list,
    "map": _map,
    "reject": _chosen(keep=False, by_attribute=False),
    "rejectattr": _chosen(keep=False, by_attribute=True),
    "reverse": _reverse,
    "select": _chosen(keep=True, by_attribute=False),
    "selectattr": _chosen(keep=True, by_attribute=True),
    "slice": _slice,
    "sum": _sum,
}
