"""Hooks observe: events and the dispatcher that cannot be broken, what a hook is, and what it is handed."""

from __future__ import annotations

from .context import HookContext
from .contract import Dispatch, Event, Fault, Limits, Refusal, Refuse
from .current_run import bind_run, current_run
from .dispatcher import HookDispatcher
from .errors import HookConfigError
from .hook import Hook

__all__ = [
    "Dispatch",
    "Event",
    "Fault",
    "Hook",
    "HookConfigError",
    "HookContext",
    "HookDispatcher",
    "Limits",
    "Refusal",
    "Refuse",
    "bind_run",
    "current_run",
]
