"""A guard in Python is found by its name or place, looked at before anything runs, and asked through the dispatcher.

It may refuse a tool call of its agent, and fails closed: whatever keeps it from a decision refuses the call.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ..schemas.bounded import clean_text, describe_error
from ..schemas.documents import Pack
from ..schemas.nearest import nearest
from .containment import type_name
from .contract import MOST_TIMEOUT_S, Limits, Refusal
from .dispatcher import HookDispatcher
from .errors import HookConfigError
from .events import GUARD_EVENT
from .foreign_object import attribute_of, instance_of
from .loader import in_import_time, load_object
from .signature import declared_fields, is_async
from .workers import Waiter

GROUP = "windtunnel.guards"
METHOD = GUARD_EVENT.name
TEXT_CHARS = 2_000  # of an error: who tells it masks first, and then cuts
_SHOWN = 80


class PythonGuard:
    """One guard of one agent. ``fields`` are those of the event that it asks for, None where it takes them all."""

    def __init__(
        self, name: str, source: str, guard: object, *, limits: Limits | None = None, waiter: Waiter | None = None
    ) -> None:
        """``guard`` is a function, or has a method ``guard_tool_call``. Raises HookConfigError."""
        made = instance_of(guard, f"guard {name!r}")
        callback = _callback(made, name)
        self.name = name
        self.source = source
        self.fields = _fields(callback, name)
        limits = limits or Limits(timeout_s=_timeout(made, name), text_chars=TEXT_CHARS)
        self._dispatcher = HookDispatcher([GUARD_EVENT], limits=limits, waiter=waiter)
        self._dispatcher.register(METHOD, _off_the_loop(callback), hook=name)

    def wants(self, field: str) -> bool:
        """Whether it asks for the field: what is not asked for need not be made (D14)."""
        return self.fields is None or field in self.fields

    async def refusal(self, payload: Mapping[str, Any]) -> Refusal | None:
        """What it answers, or came to; None allows the call. Raises KeyboardInterrupt where the guard does."""
        return (await self._dispatcher.afire(METHOD, **payload)).refusal

    def close(self) -> None:
        """Let go of its threads; none is waited for."""
        self._dispatcher.close(timeout_s=0)


def is_place(name: str) -> bool:
    """Whether a guard is named by where it is, ``module:attr`` or ``path.py:attr``, and not by a name."""
    return ":" in name


def installed_guards() -> dict[str, str]:
    """Every guard that an installed package brings, with its source; nothing is loaded to find out."""
    return {entry.name: f"entry point {entry.value}" for entry in entry_points(group=GROUP)}


def available_guards(packs: Sequence[Pack]) -> dict[str, str]:
    """Every guard that these packs declare or name, and those that are installed, with their sources."""
    found = installed_guards()
    for pack in packs:
        found |= dict.fromkeys(pack.guards, f"declared in {pack.shown}")
        for agent in pack.agents.values():
            found |= {name: f"Python, named in {pack.shown}" for name in agent.guards if is_place(name)}
    return dict(sorted(found.items()))


def source_of(name: str, declared: Mapping[str, object]) -> str:
    """Where a guard comes from, as a trace tells it; one that is declared wins over an installed one of its name."""
    if name in declared:
        return "declared"
    return name if is_place(name) else installed_guards().get(name, "")


def load_guard(name: str, folder: Path) -> PythonGuard:
    """The guard that a pack in ``folder`` names and does not declare. Raises HookConfigError, with cause and remedy."""
    if is_place(name):
        return PythonGuard(name, name, _placed(name, folder))
    entries = tuple(entry_points(group=GROUP, name=name))
    if not entries:
        known = installed_guards()
        near = nearest(name, known)
        hint = f"did you mean {near!r}? " if near else ""
        raise HookConfigError(
            f"there is no guard {name[:_SHOWN]!r}; {hint}installed: {', '.join(sorted(known)) or 'none'}; "
            "declare it under guards:, or name it as module:attr or path/to/file.py:attr"
        )
    if len({entry.value for entry in entries}) > 1:
        places = ", ".join(sorted(entry.value for entry in entries))
        raise HookConfigError(f"guard {name!r} is installed more than once ({places}); name one of these instead")
    return PythonGuard(name, f"entry point {entries[0].value}", _loaded(name, entries[0]))


def _placed(name: str, folder: Path) -> object:
    try:
        return load_object(name, folder)
    except HookConfigError as fault:
        remedy = "" if str(fault).endswith("?") else "; mend it, or take it out of the agent's guards"
        raise HookConfigError(f"guard {fault}{remedy}") from fault


def _loaded(name: str, entry: Any) -> object:
    try:
        return in_import_time(entry.load)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # importing runs foreign code, which may raise anything
        raise HookConfigError(
            f"guard {name!r} ({entry.value}) could not be loaded: {describe_error(error)}; "
            "mend or uninstall the package that brings it"
        ) from error


def _callback(guard: object, name: str) -> Callable[..., Any]:
    """The function that is asked: the method of a guard, or the guard itself."""
    method = attribute_of(guard, METHOD, f"guard {name!r}")
    found = guard if method is None else method
    if not callable(found):
        raise HookConfigError(
            f"guard {name!r} is of type {type_name(found)}; "
            f"give a function, or an object with a method {METHOD}(tool, args, ...)"
        )
    return found  # type: ignore[no-any-return]


def _fields(callback: Callable[..., Any], name: str) -> frozenset[str] | None:
    try:
        return declared_fields(callback, GUARD_EVENT, name)
    except HookConfigError as fault:
        raise HookConfigError(f"guard{str(fault).removeprefix('hook')}") from None


def _timeout(guard: object, name: str) -> float:
    """The seconds that a guard has: its ``timeout_s``, or 30."""
    seconds = attribute_of(guard, "timeout_s", f"guard {name!r}")
    if seconds is None:
        return Limits().timeout_s
    sound = isinstance(seconds, int | float) and not isinstance(seconds, bool) and math.isfinite(seconds)
    if not sound or not 0 < seconds <= MOST_TIMEOUT_S:
        raise HookConfigError(
            f"guard {name!r}: timeout_s is {clean_text(seconds, _SHOWN)}; "
            f"give a number of seconds above 0, at most {MOST_TIMEOUT_S}"
        )
    return float(seconds)


def _off_the_loop(callback: Callable[..., Any]) -> Callable[..., Any]:
    """An ``async def`` guard gets a loop of its own, on a worker: one that blocks must not hold the bench (D1)."""
    if not is_async(callback):
        return callback

    def guard(**fields: Any) -> Any:
        return callback(**fields)

    guard.__signature__ = inspect.signature(callback)  # type: ignore[attr-defined]  # what `inspect` reads first
    plain = callback.func if isinstance(callback, functools.partial) else callback
    guard.__module__ = str(getattr(plain, "__module__", ""))
    guard.__qualname__ = str(getattr(plain, "__qualname__", METHOD))
    return guard
