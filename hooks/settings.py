"""Read the knobs of hooks strictly: a value that is not sensible is a fault, never a silent default."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..schemas.nearest import nearest
from .errors import HookConfigError
from .voice import CONVERSE_S

HOOK_TIMEOUT = "WT_HOOK_TIMEOUT_S"
CONVERSE_TIMEOUT = "WT_HOOK_CONVERSE_TIMEOUT_S"
MOST_SECONDS = 600.0
_COMMON_PREFIX = "WT_HOOK_"
_COMMON = (HOOK_TIMEOUT, CONVERSE_TIMEOUT)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?\Z", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookTimeouts:
    """The deadlines that the environment sets; None: not set, the defaults of the events hold."""

    hook_s: float | None = None
    converse_s: float | None = None

    def converse(self) -> float:
        return CONVERSE_S if self.converse_s is None else self.converse_s


def prefix_of(hook: str) -> str:
    """``run-notes`` has the knobs ``WT_RUN_NOTES_*``."""
    return f"WT_{hook.upper().replace('-', '_')}_"


def read_timeouts(env: Mapping[str, str], prefixes: Iterable[str]) -> HookTimeouts:
    """Read ``WT_HOOK_*``; ``prefixes`` are those of the active hooks, whose own knobs may begin with it too."""
    own = tuple(prefixes)
    for name in sorted(env):
        if name.startswith(_COMMON_PREFIX) and name not in _COMMON and not name.startswith(own):
            raise unknown_knob(name, _COMMON)
    hook_s = read_seconds(env, HOOK_TIMEOUT, zero="0 runs hooks without a deadline on the thread that fires them")
    converse_s = read_seconds(env, CONVERSE_TIMEOUT)
    if hook_s and converse_s is not None and converse_s >= hook_s:
        raise HookConfigError(
            f"{CONVERSE_TIMEOUT} is {env[CONVERSE_TIMEOUT]} and {HOOK_TIMEOUT} is {env[HOOK_TIMEOUT]}: a converse turn "
            f"has to end within its hook's own deadline; make {CONVERSE_TIMEOUT} the smaller one"
        )
    return HookTimeouts(hook_s=hook_s, converse_s=converse_s)


def read_seconds(env: Mapping[str, str], name: str, *, zero: str = "") -> float | None:
    """The seconds that variable ``name`` gives, None where it is not set; ``zero`` says what 0 means, if allowed."""
    text = env.get(name)
    if text is None:
        return None
    allowed = "a number of seconds from 0 to 600" if zero else "a number of seconds above 0, at most 600"
    value = float(text) if _NUMBER.match(text) and len(text) <= 20 else None
    if value is None or value > MOST_SECONDS or (value == 0 and not zero):
        more = f" ({zero})" if zero else ""
        raise HookConfigError(f"{name} is {text[:60]!r}; it takes {allowed}{more}, without a unit, or is left unset")
    return value


def read_choice(text: object, name: str, choices: Iterable[str]) -> str:
    """One of ``choices``; ``name`` is the variable or key as the user knows it."""
    known = tuple(choices)
    if text not in known:
        raise HookConfigError(f"{name} is {str(text)[:60]!r}; it takes one of: {', '.join(known)}")
    return str(text)


def settings_for(
    hook: str, declared: Mapping[str, Any], env: Mapping[str, str], other_prefixes: Iterable[str]
) -> dict[str, Any]:
    """``hook_settings`` with ``WT_<HOOK>_*`` over them: ``WT_NOTES_MAX_LINES=3`` is ``max_lines: "3"``.

    A variable that belongs to a hook of a longer prefix (``WT_NOTES_MAX_*``) is not taken.
    """
    prefix = prefix_of(hook)
    longer = tuple(other for other in other_prefixes if len(other) > len(prefix))
    found = dict(declared)
    for name in sorted(env):
        key = name.removeprefix(prefix)
        if key and key != name and not name.startswith(longer) and name not in _COMMON:
            found[key.lower()] = env[name]
    return found


def unknown_knob(name: str, known: Iterable[str]) -> HookConfigError:
    """The fault of a variable or key that nothing reads."""
    names = sorted(known)
    near = nearest(name, names)
    hint = f"did you mean {near}?" if near else f"known are: {', '.join(names)}"
    return HookConfigError(f"{name} is set, and nothing reads it; {hint}")
