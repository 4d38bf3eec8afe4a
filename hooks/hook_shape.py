"""Refuse an object that cannot work as a hook, with the nearest right name, before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any

from ..schemas.bounded import clean_text, describe_error
from ..schemas.nearest import did_you_mean
from .contract import Event
from .errors import HookConfigError
from .events import GUARD_EVENT
from .hook import Hook
from .signature import declared_fields

RESERVED = frozenset({"score", "pack", "trace", "ledger", "sweep", "hook"})
_NAME = re.compile(r"[a-z0-9_-]{1,64}\Z")
_PREFIX = "on_"
_SHOWN = 80

Method = Callable[..., Any]


def instance_of(loaded: object, asked: str) -> object:
    """The object itself; a class is instantiated without arguments. Raises HookConfigError."""
    if not isinstance(loaded, type):
        return loaded
    try:
        return loaded()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a constructor is foreign code, which may raise anything
        raise HookConfigError(
            f"hook {asked!r}: the class could not be instantiated without arguments: {describe_error(error)}"
        ) from error


def captured_name(hook: object, asked: str) -> str:
    """The hook's name, taken once: a hook that renames itself later moves nothing. Raises HookConfigError."""
    name = _read(hook, "name", asked)
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
    serial = _read(hook, "serial", name)
    if serial not in (None, True, False):
        raise HookConfigError(f"hook {name!r}: serial is a {type(serial).__name__}; set it to True or False")
    return bool(serial)


def methods_of(hook: object, name: str, events: Mapping[str, Event]) -> dict[str, Method]:
    """The hook's methods by point. Raises HookConfigError for a point or a signature that cannot be, or none at all.

    The empty methods of Hook itself do not count: nobody listens there.
    """
    found: dict[str, Method] = {}
    for attribute in _attributes(hook, name):
        if attribute == GUARD_EVENT.name and attribute not in events:
            raise HookConfigError(
                f"hook {name!r} has a method {attribute}: a hook never decides; name the guard in an agent's `guards:`"
            )
        if attribute not in events and not attribute.startswith(_PREFIX):
            continue
        method = _read(hook, attribute, name)
        if attribute in events and method is not None and not _is_empty(method, attribute):
            declared_fields(method, events[attribute], name)
            found[attribute] = method
        elif attribute not in events and callable(method):
            raise _unknown_point(name, attribute, events)
    if not found:
        points = sorted(event for event in events if event.startswith(_PREFIX))
        raise HookConfigError(f"hook {name!r} has no method for any point; points: {', '.join(points)}")
    return found


def _unknown_point(name: str, attribute: str, events: Mapping[str, Event]) -> HookConfigError:
    hint = did_you_mean(attribute, (event for event in events if event.startswith(_PREFIX)), what="points")
    shown = clean_text(attribute, _SHOWN)
    return HookConfigError(f"hook {name!r} has a method {shown!r}, and no point has that name; {hint}")


def _attributes(hook: object, asked: str) -> list[str]:
    try:
        return [attribute for attribute in dir(hook) if isinstance(attribute, str)]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # `__dir__` is foreign code
        raise _unreadable(asked, "its attributes", error) from error


def _read(hook: object, attribute: str, asked: str) -> Any:
    try:
        return getattr(hook, attribute, None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # properties are foreign code
        raise _unreadable(asked, attribute, error) from error


def _unreadable(asked: str, what: str, error: BaseException) -> HookConfigError:
    return HookConfigError(f"hook {asked!r}: {what} could not be read: {describe_error(error)}")


def _is_empty(method: object, attribute: str) -> bool:
    return isinstance(method, MethodType) and method.__func__ is getattr(Hook, attribute, None)
