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

SUMMARIES: Mapping[str, str] = {
    "debrief": "asks an agent that failed why, and keeps its answers beside the trace",
    "otel": "tells OpenTelemetry of each run as a tree of spans; needs the extra `otel`",
    "state_probe": "tells what a reset has left of the run before, by the pack's `state_probe:`",
    "timeline": "keeps every event of a run with its times and sizes; `wt show` draws them",
    "usage": "sums up the calls, tokens and time of a sweep, agent by agent",
}
"""What each does, for lists."""
