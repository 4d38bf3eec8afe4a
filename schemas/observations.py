"""What the built-in observers leave behind: frozen records that their schemas mirror. An absent fact is UNSET."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .codec import UNSET, UnsetType

TIMELINE_VERSION = 1
USAGE_VERSION = 1
EntryKind = Literal["point", "tool", "model", "aux", "stream"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """One event of a run, its ``pre_`` and ``post_`` in one. Times are in milliseconds, of the run's own clock.

    ``duration_ms`` leaves out what waiting for hooks took; it is UNSET for a point, and where the end was not seen.
    Sizes are of what hooks see: texts that the bench has cut count as they were cut.
    """

    kind: EntryKind
    name: str
    at_ms: float
    duration_ms: float | UnsetType = UNSET
    status: str | UnsetType = UNSET
    agent: str | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    effect: str | UnsetType = UNSET
    aux_task: str | UnsetType = UNSET
    retry_count: int | UnsetType = UNSET
    messages: int | UnsetType = UNSET
    tools: int | UnsetType = UNSET
    input_tokens: int | UnsetType = UNSET
    output_tokens: int | UnsetType = UNSET
    finish_reason: str | UnsetType = UNSET
    args_bytes: int | UnsetType = UNSET
    result_chars: int | UnsetType = UNSET
    error_chars: int | UnsetType = UNSET
    chunks: int | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Every event of one run in the order in which they began. ``more`` is how many entries found no room."""

    schema_version: int = TIMELINE_VERSION
    run_id: str
    scenario_id: str
    agent: str
    seconds: float
    entries: list[TimelineEntry] = field(default_factory=list)
    more: int = 0
    events: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """What one agent of one pack asked models for; ``aux_task`` "" is its own work."""

    pack: str
    agent: str
    aux_task: str
    calls: int
    attempts: int
    retries: int
    errors: int
    cancelled: int
    input_tokens: int
    output_tokens: int
    attempts_without_usage: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsage:
    """What one agent of one pack asked its tools for."""

    pack: str
    agent: str
    calls: int
    errors: int
    blocked: int
    cancelled: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """The usage of a sweep. ``more`` is how many events belonged to an agent or task that found no room."""

    schema_version: int = USAGE_VERSION
    models: list[ModelUsage] = field(default_factory=list)
    tools: list[ToolUsage] = field(default_factory=list)
    more: int = 0
