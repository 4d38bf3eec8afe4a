"""Hooks observe: events and the dispatcher that cannot be broken, what a hook is, and what it is handed."""

from __future__ import annotations

from .artifacts import ArtifactError
from .channel import ConverseError, ConverseTimeout
from .context import HookContext
from .contract import Dispatch, Event, Fault, Limits, Refusal, Refuse
from .current_run import bind_run, current_run
from .dispatcher import HookDispatcher
from .errors import HookConfigError
from .hook import Hook
from .state.hook import StateProbeHook
from .state.snapshot import StateProbe, StateProbeFault
from .voice import HookContextClosed

__all__ = [
    "ArtifactError",
    "ConverseError",
    "ConverseTimeout",
    "Dispatch",
    "Event",
    "Fault",
    "Hook",
    "HookConfigError",
    "HookContext",
    "HookContextClosed",
    "HookDispatcher",
    "Limits",
    "Refusal",
    "Refuse",
    "StateProbe",
    "StateProbeFault",
    "StateProbeHook",
    "bind_run",
    "current_run",
]
