"""What a state probe found out of place after a reset: frozen records that their schema mirrors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .codec import UNSET

STATE_VIOLATION_VERSION = 1
Scope = Literal["batch", "sweep"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """What became of one key; ``before`` is UNSET where it was added, ``after`` where it was removed."""

    key: str
    change: Literal["added", "removed", "changed"]
    before: Any = UNSET
    after: Any = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class StateBaseline:
    """The run before which a baseline was taken."""

    run_id: str
    scenario_id: str
    agent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateViolation:
    """State that a reset did not restore. ``changed`` names the keys, and ``more`` counts those without room."""

    schema_version: int = STATE_VIOLATION_VERSION
    run_id: str
    pack: str
    scenario_id: str
    agent: str
    hook: str
    scope: Scope
    baseline: StateBaseline
    changed: list[str]
    more: int = 0
    changes: list[StateChange] = field(default_factory=list)
