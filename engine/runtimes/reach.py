"""What can be learnt of an agent's endpoint before anybody speaks to the agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .base import ResolvedAgent, Runtime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """An endpoint that answers. ``models`` None: it lists none; ``date`` None: it does not say what time it is."""

    shown: str
    models: tuple[str, ...] | None = None
    date: datetime | None = None


Reach = Callable[[ResolvedAgent], Awaitable[Reached]]
Force = Callable[[Mapping[str, Any], str], Mapping[str, Any]]


def reach_of(runtime: Runtime) -> Reach | None:
    """A runtime's ``reach(agent)``, which raises RuntimeFault where nothing answers; None for one without it."""
    found: Reach | None = getattr(runtime, "reach", None)
    return found


def force_of(runtime: Runtime) -> Force | None:
    """A runtime's ``forced(settings, tool)``: the settings with which its agent has to call the tool, or None."""
    found: Force | None = getattr(runtime, "forced", None)
    return found
