"""The filters that compare items: sorted, grouped, smallest, largest, each once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .errors import TemplateFault
from .sandbox_access import Absent, by_path
from .sandbox_data import weigh
from .sandbox_loops import items_of, or_default


class Group(NamedTuple):
    """One group of ``groupby``."""

    grouper: Any
    list: list[Any]


def _dictsort(value: Any, case_sensitive: bool = False, by: str = "key", reverse: bool = False) -> list[Any]:
    if not isinstance(value, dict) or by not in ("key", "value"):
        raise TemplateFault("dictsort sorts a mapping by 'key' or 'value'; give it those")
    weigh(value)
    at = 0 if by == "key" else 1
    return sorted(
        ([*pair] for pair in value.items()), key=lambda pair: _folded(pair[at], case_sensitive), reverse=reverse
    )


def _groupby(value: Any, attribute: Any, default: Any = None, case_sensitive: bool = False) -> list[Group]:
    found: dict[Any, Group] = {}
    for key, each in _keyed(value, attribute, default, case_sensitive):
        shown = by_path(attribute)(each)
        shown = shown if default is None else or_default(shown, default)
        found.setdefault(key, Group(shown, [])).list.append(each)
    return [found[key] for key in sorted(found)]


def _extreme(choose: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(value: Any, case_sensitive: bool = False, attribute: Any = None) -> Any:
        pairs = _keyed(value, attribute, None, case_sensitive)
        if not pairs:
            return Absent(hint="the list is empty: it has no smallest and no largest item; write `| default(...)`")
        return choose(pairs, key=lambda pair: pair[0])[1]

    return chosen


def _sort(value: Any, reverse: bool = False, case_sensitive: bool = False, attribute: Any = None) -> list[Any]:
    paths: list[Any] = attribute.split(",") if isinstance(attribute, str) else [attribute]
    items = items_of(value)
    keys = [[key for key, _ in _keyed(items, path, None, case_sensitive)] for path in paths]
    order = sorted(range(len(items)), key=lambda at: [column[at] for column in keys], reverse=bool(reverse))
    return [items[at] for at in order]


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
        keys = [or_default(key, default) for key in keys]
    weigh(keys)
    return [(_folded(key, case_sensitive), each) for key, each in zip(keys, items, strict=True)]


def _folded(key: Any, case_sensitive: bool) -> Any:
    return key.lower() if isinstance(key, str) and not case_sensitive else key


ORDER_FILTERS: dict[str, Callable[..., Any]] = {
    "dictsort": _dictsort,
    "groupby": _groupby,
    "max": _extreme(max),
    "min": _extreme(min),
    "sort": _sort,
    "unique": _unique,
}
