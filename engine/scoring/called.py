"""Pick the calls that a check is about, and write calls as result lines show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from ...schemas.patterns import fullmatch
from ...schemas.records import Call
from .base import Args, GraderFault
from .shown import as_json, clip, typed

Matcher = Callable[[Call], bool]


def attempts(calls: Sequence[Call], args: Args) -> list[Call]:
    """The calls that count: every attempt, or those of one ``status`` (or of several)."""
    status = args.get("status")
    if status is None:
        return list(calls)
    wanted = [status] if isinstance(status, str) else list(status)
    return [call for call in calls if call.status in wanted]


def matcher(value: Any) -> Matcher:
    """Calls of a tool by its name, of any in a list, or by ``{name}`` or ``{pattern}`` (of the whole name)."""
    if isinstance(value, str):
        return lambda call: call.name == value
    if isinstance(value, list | tuple) and value:
        each = [matcher(item) for item in value]
        return lambda call: any(fits(call) for fits in each)
    if isinstance(value, Mapping) and "name" in value:
        return matcher(value["name"])
    if isinstance(value, Mapping) and isinstance(value.get("pattern"), str):
        pattern = str(value["pattern"])
        return lambda call: fullmatch(pattern, call.name) is not None
    raise GraderFault(f"value names no tool: {typed(value)}")


def tool_label(value: Any) -> str:
    """``client_lookup``, ``a, b`` or ``price_.*``: the tools as the check names them."""
    if isinstance(value, list | tuple):
        return clip(", ".join(map(tool_label, value)), 80)
    if isinstance(value, Mapping):
        return tool_label(value.get("name", value.get("pattern", as_json(value))))
    return clip(value if isinstance(value, str) else as_json(value), 60)


def status_label(args: Args) -> str:
    """`` (ok)`` where the check counts only calls of a status."""
    status = args.get("status")
    return "" if status is None else f" ({status if isinstance(status, str) else ' or '.join(map(str, status))})"


def called(calls: Iterable[Call], most: int = 8) -> str:
    """``client_lookup, email_send x2``: the calls in their order; ``no call`` where there is none."""
    runs = [(name, len(list(group))) for name, group in groupby(calls, key=lambda call: call.name)]
    if not runs:
        return "no call"
    names = [name if count == 1 else f"{name} x{count}" for name, count in runs]
    return ", ".join(names) if len(names) <= most else ", ".join([*names[:most], f"and {len(names) - most} more"])


def ordinal(call: Call) -> str:
    """``call 2 (refused)``: a call by its number within the run."""
    return f"call {call.n} ({call.status})"
