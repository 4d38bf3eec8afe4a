"""A snapshot of state is its keys, each with its value as canonical JSON: what can be compared, and kept, in bounds."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping
from typing import Any, Protocol

from ...schemas.bounded import clean_text, describe_error
from ...schemas.codec import CodecFault, canonical, decode

MOST_BYTES = 16 << 20
MOST_KEYS = 20_000
SHOWN_KEY = 200

Snapshot = Mapping[str, bytes]


class StateProbe(Protocol):
    """Whatever can look at an agent's state."""

    def capture_state(self) -> Mapping[str, Any]:
        """The state as it is now: plain data by key. May raise; may be ``async def``."""
        ...


class StateProbeFault(Exception):
    """State could not be looked at. The text says which probe, why, and what to do."""


def look_through(probe: StateProbe) -> Snapshot:
    """Look once; what ``async def`` gives is waited for, on a loop of its own. Raises what the probe raises."""
    state: Any = probe.capture_state()
    return frozen(asyncio.run(_awaited(state)) if inspect.isawaitable(state) else state)


async def _awaited(state: Any) -> Any:
    return await state


def frozen(state: object) -> Snapshot:
    """A copy that later changes do not reach. Raises StateProbeFault for what is no mapping of plain data."""
    if not isinstance(state, Mapping):
        kind = type(state).__name__
        raise StateProbeFault(f"the state is a {kind}, not a mapping; return a dict of plain data by key")
    try:
        found = dict(state)
    except Exception as error:  # noqa: BLE001 - a foreign mapping may raise anything while it is walked
        raise StateProbeFault(f"the state cannot be read: {describe_error(error)}; return a plain dict") from None
    if len(found) > MOST_KEYS:
        raise StateProbeFault(f"the state has {len(found):,} keys, more than the {MOST_KEYS:,} at most; look at less")
    return _by_key(found)


def _by_key(found: Mapping[Any, Any]) -> Snapshot:
    snapshot: dict[str, bytes] = {}
    size = 0
    for key, value in found.items():
        if not isinstance(key, str):
            raise StateProbeFault(f"the key {clean_text(repr(key), 60)} of the state is not text; name it by text")
        if _unordered(value):
            raise StateProbeFault(f"the state's key {shown(key)!r} holds a set, which has no order; give a sorted list")
        try:
            canonical(key)
            snapshot[str.__str__(key)] = canonical(value)
        except CodecFault as fault:
            raise StateProbeFault(f"the state's key {shown(key)!r}: {fault}; give plain data") from None
        size += len(snapshot[key]) + len(key)
        if size > MOST_BYTES:
            raise StateProbeFault(f"the state has more than {MOST_BYTES:,} bytes as JSON; look at less, or at digests")
    return snapshot


def _unordered(value: object) -> bool:
    """Whether there is a set in it: the codec would take one, in whatever order it comes."""
    waiting, seen = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if isinstance(each, set | frozenset):
            return True
        if isinstance(each, dict | list | tuple) and id(each) not in seen:
            seen.add(id(each))
            waiting.extend(each.values() if isinstance(each, dict) else each)
    return False


def differing(before: Snapshot, after: Snapshot) -> list[str]:
    """The keys that were added, removed or changed, sorted."""
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def value_of(snapshot: Snapshot, key: str) -> Any:
    """The value of a key as plain data."""
    return decode(snapshot[key])


def shown(key: str) -> str:
    """A key as messages name it."""
    return clean_text(key, SHOWN_KEY)
