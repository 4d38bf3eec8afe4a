"""The filters over lists: each gives a list at once, so that its length, its truth and its text are those of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from jinja2.runtime import StrictUndefined

from .errors import TemplateFault
from .nearest import did_you_mean
from .sandbox_access import Absent, by_path
from .sandbox_meter import MOST_ITEMS, current, kind_of, pay_for, small, weigh
from .sandbox_methods import join as joined
from .sandbox_operators import add
from .sandbox_tests import call_test
from .sandbox_text import TEXT_FILTERS


class Group(NamedTuple):
    """One group of ``groupby``."""

    grouper: Any
    list: list[Any]


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


def _default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    if isinstance(value, StrictUndefined) or (boolean and not value):
        return default_value
    return value


def _dictsort(value: Any, case_sensitive: bool = False, by: str = "key", reverse: bool = False) -> list[Any]:
    if not isinstance(value, dict) or by not in ("key", "value"):
        raise TemplateFault("dictsort sorts a mapping by 'key' or 'value'; give it those")
    weigh(value)
    at = 0 if by == "key" else 1
    return sorted(
        ([*pair] for pair in value.items()), key=lambda pair: _folded(pair[at], case_sensitive), reverse=reverse
    )


def _ends(last: bool) -> Callable[[Any], Any]:
    def end(value: Any) -> Any:
        items = value if isinstance(value, str) else items_of(value)
        if not items:
            return Absent(hint="the list is empty: it has no first and no last item; write `| default(...)`")
        return items[-1 if last else 0]

    return end


def _groupby(value: Any, attribute: Any, default: Any = None, case_sensitive: bool = False) -> list[Group]:
    found: dict[Any, Group] = {}
    for key, each in _keyed(value, attribute, default, case_sensitive):
        shown = by_path(attribute)(each)
        shown = shown if default is None else _default(shown, default)
        found.setdefault(key, Group(shown, [])).list.append(each)
    return [found[key] for key in sorted(found)]


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
        return [_default(take(each), missing) for each in items_of(value)]
    name, *rest = args or ("",)
    change = LIST_FILTERS.get(name) if isinstance(name, str) else None
    if change is None:
        hint = did_you_mean(str(name)[:60], LIST_FILTERS, what="filters")
        raise TemplateFault(f"map knows no filter {str(name)[:60]!r}; {hint}")
    return [_once(change, each, rest, kwargs) for each in items_of(value)]


def _once(change: Callable[..., Any], each: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    current.meter.turn()
    return change(each, *args, **kwargs)


def _extreme(choose: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(value: Any, case_sensitive: bool = False, attribute: Any = None) -> Any:
        pairs = _keyed(value, attribute, None, case_sensitive)
        if not pairs:
            return Absent(hint="the list is empty: it has no smallest and no largest item; write `| default(...)`")
        return choose(pairs, key=lambda pair: pair[0])[1]

    return chosen


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


def _sort(value: Any, reverse: bool = False, case_sensitive: bool = False, attribute: Any = None) -> list[Any]:
    paths: list[Any] = attribute.split(",") if isinstance(attribute, str) else [attribute]
    items = items_of(value)
    keys = [[key for key, _ in _keyed(items, path, None, case_sensitive)] for path in paths]
    order = sorted(range(len(items)), key=lambda at: [column[at] for column in keys], reverse=bool(reverse))
    return [items[at] for at in order]


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


def _unique(value: Any, case_sensitive: bool = False, attribute: Any = None) -> list[Any]:
    seen: set[Any] = set()
    kept = []
    for key, each in _keyed(value, attribute, None, case_sensitive):
        mark = key if not isinstance(key, list | dict) else repr(key)
        if mark not in seen:
            seen.add(mark)
            kept.append(each)
    return kept


def _keyed(value: Any, attribute: Any, default: Any, case_sensitive: bool) -> list[tuple[Any, Any]]:
    """Each item with what it is compared by."""
    take = None if attribute is None else by_path(attribute)
    items = items_of(value)
    keys = [each if take is None else take(each) for each in items]
    if default is not None:
        keys = [_default(key, default) for key in keys]
    weigh(keys)
    return [(_folded(key, case_sensitive), each) for key, each in zip(keys, items, strict=True)]


def _folded(key: Any, case_sensitive: bool) -> Any:
    return key.lower() if isinstance(key, str) and not case_sensitive else key


def _list(value: Any) -> list[Any]:
    return list(items_of(value))


LIST_FILTERS: dict[str, Callable[..., Any]] = {
    **TEXT_FILTERS,
    "batch": _batch,
    "count": _length,
    "d": _default,
    "default": _default,
    "dictsort": _dictsort,
    "first": _ends(last=False),
    "groupby": _groupby,
    "items": _items,
    "join": _join,
    "last": _ends(last=True),
    "length": _length,
    "list": _list,
    "map": _map,
    "max": _extreme(max),
    "min": _extreme(min),
    "reject": _chosen(keep=False, by_attribute=False),
    "rejectattr": _chosen(keep=False, by_attribute=True),
    "reverse": _reverse,
    "select": _chosen(keep=True, by_attribute=False),
    "selectattr": _chosen(keep=True, by_attribute=True),
    "slice": _slice,
    "sort": _sort,
    "sum": _sum,
    "unique": _unique,
}
