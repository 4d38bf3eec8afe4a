"""What a callback is handed is its own: narrowed to its fields, copied in depth, and weighed before it is queued."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Set
from typing import Any

from .containment import NEVER_CONTAINED, describe
from .contract import Event, PerHook
from .signature import narrow

_NEVER_CHANGES = frozenset({str, int, float, bool, type(None), bytes, complex})
_LEAST_BYTES = 8  # of any value, so that an endless structure outweighs every limit soon


class UncopyableError(Exception):
    """A field that cannot be copied is not handed over at all: the original is nobody's to change."""


def own_fields(payload: Mapping[str, Any], names: frozenset[str] | None, event: Event, hook: str) -> dict[str, Any]:
    """The fields of one callback, deep copies where the event copies. Raises UncopyableError, naming the field."""
    fields = narrow(payload, names)
    memo: dict[int, Any] = {}
    for name, value in fields.items():
        if type(value) is PerHook:
            fields[name] = value.make(hook)
        elif event.copied and type(value) not in _NEVER_CHANGES:
            fields[name] = _copied(name, value, memo)
    return fields


def _copied(name: str, value: Any, memo: dict[int, Any]) -> Any:
    try:
        return copy.deepcopy(value, memo)
    except NEVER_CONTAINED:
        raise
    except BaseException as error:  # noqa: BLE001 - a foreign `__deepcopy__` may raise anything
        raise UncopyableError(f"{name!r} cannot be copied: {describe(error, 200)}") from None


def identity_of(payload: Mapping[str, Any], event: Event) -> str:
    """What tells this call from others of its event, "" where nothing does."""
    found = payload.get(event.identity) if event.identity is not None else None
    if found is None or type(found) is str:
        return found or ""
    try:
        return f"{type(found).__name__}:{found!r}"
    except NEVER_CONTAINED:
        raise
    except BaseException:  # noqa: BLE001 - a foreign `__repr__` may raise anything: it tells nothing apart
        return ""


def weight(fields: Mapping[str, Any], most: int) -> int:
    """About how many bytes the fields hold; counting ends once it is more than ``most``."""
    total = 0
    waiting: list[Any] = list(fields.values())
    while waiting and total <= most:
        value = waiting.pop()
        if isinstance(value, str):
            total += len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, bytes | bytearray):
            total += len(value)
        else:
            total += _LEAST_BYTES
            if isinstance(value, Mapping):
                waiting += value.keys()
                waiting += value.values()
            elif isinstance(value, list | tuple | Set):
                waiting += value
    return total
