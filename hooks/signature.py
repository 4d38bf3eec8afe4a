"""A callback receives the fields that it declares; one that asks for more is refused when it is registered (D9)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from .containment import NEVER_CONTAINED, Containment, describe, type_name
from .contract import Event
from .errors import HookConfigError

_TAKEN_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_ERROR_CHARS = 200


def declared_fields(fn: Callable[..., Any], event: Event, hook: str) -> frozenset[str] | None:
    """The names that the callback takes, None where it takes all (``**kwargs``). Raises HookConfigError."""
    if not callable(fn):
        raise HookConfigError(f"hook {hook!r} gives a {type_name(fn)} for {event.name}; give a function")
    parameters = _parameters(fn, event, hook)
    by_position = [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY and p.default is p.empty]
    if by_position:
        raise HookConfigError(
            f"hook {hook!r} takes {_quoted(by_position)} of {event.name} by position only; "
            "fields are sent by name: take the '/' out, or wrap it in a function"
        )
    by_name = [p for p in parameters if p.kind in _TAKEN_BY_NAME]
    unknown = [p.name for p in by_name if p.default is p.empty and p.name not in event.sample]
    if unknown:
        raise HookConfigError(
            f"hook {hook!r} asks for {_quoted(unknown)}, which {event.name} never sends; it sends: {sent_fields(event)}"
        )
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return frozenset(p.name for p in by_name)


def sent_fields(event: Event) -> str:
    """The fields that the event sends, sorted, as people read them."""
    return ", ".join(sorted(event.sample)) or "nothing"


def narrow(payload: Mapping[str, Any], names: frozenset[str] | None) -> dict[str, Any]:
    """The part of the payload that a callback has declared."""
    if names is None:
        return dict(payload)
    return {name: value for name, value in payload.items() if name in names}


def is_async(fn: Callable[..., Any]) -> bool:
    """Is this an ``async def``, also as a method, a partial or an object's ``__call__``?"""
    with Containment(_ERROR_CHARS):  # a foreign object may raise when it is looked at: then it is called like any other
        while isinstance(fn, functools.partial):
            fn = fn.func
        return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(type(fn).__call__)
    return False


def code_name(fn: Callable[..., Any]) -> str:
    """Module and qualified name of a callback: one piece of code has one name, however many objects share it (D10)."""
    with Containment(_ERROR_CHARS):
        while isinstance(fn, functools.partial):
            fn = fn.func
        named = fn if isinstance(getattr(fn, "__qualname__", None), str) else type(fn)
        return f"{getattr(named, '__module__', '')}.{named.__qualname__}"
    return type_name(fn)


def _parameters(fn: Callable[..., Any], event: Event, hook: str) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(fn).parameters.values())
    except NEVER_CONTAINED:
        raise
    except BaseException as error:  # noqa: BLE001 - a foreign `__signature__` may raise anything
        raise HookConfigError(
            f"hook {hook!r}: the parameters of its callback for {event.name} cannot be read "
            f"({describe(error, _ERROR_CHARS)}); wrap it in a function"
        ) from None


def _quoted(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))
