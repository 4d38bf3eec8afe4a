"""Refuse an object that cannot work as a hook, with the nearest right name, before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any

from ..schemas.bounded import clean_text
from ..schemas.nearest import did_you_mean
from .contract import Event
from .errors import HookConfigError
from .events import CALL_EVENTS, GUARD_EVENT
from .foreign_object import attribute_of, attributes_of
from .hook import Hook
from .signature import declared_fields

RESERVED = frozenset({"score", "pack", "trace", "ledger", "sweep", "hook"})
_NAME = re.compile(r"[a-z0-9_-]{1,64}\Z")
_POINT = "on_"
_CALL = ("pre_", "post_")
_SHOWN = 80

Method = Callable[..., Any]


def captured_name(hook: object, asked: str) -> str:
    """The hook's name, taken once: a hook that renames itself later moves nothing. Raises HookConfigError."""
    name = attribute_of(hook, "name", f"hook {asked!r}")
    if not isinstance(name, str) or not name:
        raise HookConfigError(f"hook {asked!r} has no name; give it one: name = \"notes\"")
    name = str.__str__(name)
    if not _NAME.match(name):
        shown = clean_text(name, _SHOWN)
        raise HookConfigError(f"hook {asked!r} has the name {shown!r}; a name is 1 to 64 of a-z, 0-9, _ and -")
    if name in RESERVED:
        raise HookConfigError(f"hook {asked!r} has the name {name!r}, which the bench keeps for files of its own")
    return name


def is_serial(hook: object, name: str) -> bool:
    """Whether the hook asks for runs one at a time. Raises HookConfigError."""
    serial = attribute_of(hook, "serial", f"hook {name!r}")
    if serial not in (None, True, False):
        raise HookConfigError(f"hook {name!r}: serial is a {type(serial).__name__}; set it to True or False")
    return bool(serial)


def methods_of(hook: object, name: str, events: Mapping[str, Event]) -> dict[str, Method]:
    """The hook's methods by event: any points, any call events. The empty methods of Hook itself do not count.

    Raises HookConfigError for a name that no event has, a signature that its event cannot fill, and for none at all.
    """
    found: dict[str, Method] = {}
    prefixes = _prefixes(events)
    for attribute in attributes_of(hook, f"hook {name!r}"):
        if attribute == GUARD_EVENT.name and attribute not in events:
            raise HookConfigError(
                f"hook {name!r} has a method {attribute}: a hook never decides; name the guard in an agent's `guards:`"
            )
        if attribute not in events and not attribute.startswith(prefixes):
            continue
        method = attribute_of(hook, attribute, f"hook {name!r}")
        if attribute in events and method is not None and not _is_empty(method, attribute):
            declared_fields(method, events[attribute], name)
            found[attribute] = method
        elif attribute not in events and callable(method):
            raise _unknown(name, attribute, events, prefixes)
    if not found:
        raise _nothing_heard(name, events)
    return found


def _prefixes(events: Mapping[str, Event]) -> tuple[str, ...]:
    """What a method's name begins with that means to be an event: a helper of the hook's own begins otherwise."""
    return (_POINT, *(prefix for prefix in _CALL if any(event.startswith(prefix) for event in events)))


def _unknown(name: str, attribute: str, events: Mapping[str, Event], prefixes: tuple[str, ...]) -> HookConfigError:
    kind = "point" if attribute.startswith(_POINT) else "event"
    known = [event for event in events if event.startswith(prefixes)]
    hint = did_you_mean(attribute, known, what=f"{kind}s")
    shown = clean_text(attribute, _SHOWN)
    return HookConfigError(f"hook {name!r} has a method {shown!r}, and no {kind} has that name; {hint}")


def _nothing_heard(name: str, events: Mapping[str, Event]) -> HookConfigError:
    points = sorted(event for event in events if event.startswith(_POINT) and event not in CALL_EVENTS)
    calls = sorted(event for event in events if event in CALL_EVENTS)
    more = f"; calls: {', '.join(calls)}" if calls else ""
    return HookConfigError(f"hook {name!r} has no method for any point; points: {', '.join(points)}{more}")


def _is_empty(method: object, attribute: str) -> bool:
    return isinstance(method, MethodType) and method.__func__ is getattr(Hook, attribute, None)
