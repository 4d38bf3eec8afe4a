"""The table of the hooks that are built in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..schemas.documents import Pack
from .debrief.configure import debrief_for
from .otel.configure import otel_hook
from .plain import plain
from .state.configure import state_probe_hook
from .timeline import TimelineHook
from .usage import UsageHook

Maker = Callable[[Pack, Mapping[str, Any]], object]
"""Makes the hook of one pack from (pack, settings), or gives the one that observes them all."""

BUILT_IN: Mapping[str, Callable[[Mapping[str, str], Path], Maker]] = {
    "debrief": lambda env, folder: partial(debrief_for, env=env, folder=folder),
    "otel": otel_hook,
    "state_probe": state_probe_hook,
    "timeline": plain(TimelineHook),
    "usage": plain(UsageHook),
}
"""What begins one activation, from (environment, folder of the call)."""
