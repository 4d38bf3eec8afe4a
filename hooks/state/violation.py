"""Tell what changed, within bounds: the names of the keys first, their values as far as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.codec import encode
from ...schemas.state import StateChange
from .snapshot import Snapshot, differing, frozen, shown, value_of

NAMES_BYTES = 384 << 10
VALUES_BYTES = 384 << 10
VALUE_BYTES = 2048
NAMED_IN_WARNING = 10


def names_with_room(keys: Sequence[str]) -> list[str]:
    """As many names as there is room for in an artifact; at least one."""
    named: list[str] = []
    room = NAMES_BYTES
    for key in keys:
        name = shown(key)
        room -= len(encode(name)) + 1
        if named and room < 0:
            break
        named.append(name)
    return named


def changes_with_room(keys: Sequence[str], before: Snapshot, after: Snapshot) -> list[StateChange]:
    """What became of the keys, in order, until there is no room for more."""
    told: list[StateChange] = []
    room = VALUES_BYTES
    for key in keys:
        change = _change(key, before, after)
        room -= len(encode(change)) + 1
        if room < 0:
            break
        told.append(change)
    return told


def in_words(keys: Sequence[str]) -> str:
    """``a, b and 3 more``."""
    named = ", ".join(shown(key) for key in keys[:NAMED_IN_WARNING])
    left = len(keys) - NAMED_IN_WARNING
    return f"{named} and {left} more" if left > 0 else named


def _change(key: str, before: Snapshot, after: Snapshot) -> StateChange:
    if key not in before:
        return StateChange(key=shown(key), change="added", after=_bounded(value_of(after, key)))
    if key not in after:
        return StateChange(key=shown(key), change="removed", before=_bounded(value_of(before, key)))
    old, new = value_of(before, key), value_of(after, key)
    if isinstance(old, dict) and isinstance(new, dict):
        old, new = _members_that_differ(old, new)
    return StateChange(key=shown(key), change="changed", before=_bounded(old), after=_bounded(new))


def _members_that_differ(old: dict[str, Any], new: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    names = differing(frozen(old), frozen(new))
    return {name: old[name] for name in names if name in old}, {name: new[name] for name in names if name in new}


def _bounded(value: Any) -> Any:
    return clean_value(value, VALUE_BYTES)
