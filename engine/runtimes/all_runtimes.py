"""The one table of runtimes: those that ship, then the entry points of group ``windtunnel.runtimes``."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from ...hooks.loader import in_import_time
from ...schemas.bounded import describe_error
from ...schemas.errors import UsageFault
from ...schemas.nearest import did_you_mean
from .base import Runtime
from .openai import OpenAIRuntime
from .scripted import ScriptedRuntime

GROUP = "windtunnel.runtimes"

BUILT_IN: dict[str, Runtime] = {runtime.name: runtime for runtime in (ScriptedRuntime(), OpenAIRuntime())}

_NEEDED = ("name", "independent_sessions", "late", "check", "provision")


def runtime_names() -> tuple[str, ...]:
    """Every runtime that an agent may name, sorted."""
    return tuple(sorted({*BUILT_IN, *_installed()}))


def runtime_named(name: str) -> Runtime:
    """The runtime of that name; a built-in wins over an entry point. Raises UsageFault."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    entry = _installed().get(name)
    if entry is None:
        raise UsageFault(f"there is no runtime '{name}'; {did_you_mean(name, runtime_names())}")
    return _load(name, entry)


@cache
def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def _load(name: str, entry: EntryPoint) -> Runtime:
    """Import an entry point; a class is made without arguments."""
    try:
        found = in_import_time(entry.load)
        runtime: Runtime = in_import_time(found) if isinstance(found, type) else found
    except Exception as error:  # foreign code may raise anything
        raise UsageFault(
            f"runtime '{name}' ({entry.value}) cannot be loaded: {describe_error(error)}; "
            f"mend or uninstall the package that brings it"
        ) from error
    lacking = [member for member in _NEEDED if not hasattr(runtime, member)]
    if lacking:
        raise UsageFault(
            f"runtime '{name}' ({entry.value}) lacks {', '.join(lacking)}; "
            f"windtunnel.engine.runtimes.base.Runtime says what a runtime has"
        )
    return runtime
