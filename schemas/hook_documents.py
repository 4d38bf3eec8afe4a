"""What a pack declares for hooks once it is loaded: hooks in YAML, debriefs, and how the agent's state is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .problems import Mark

STATE_PROBE_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HookStep:
    """One step of a declared hook: ``kind`` converse, emit or warn; ``value`` a template value; ``name`` its ``as``."""

    kind: Literal["converse", "emit", "warn"]
    value: Any
    name: str = ""
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredPoint:
    """What a declared hook does at one point."""

    point: str
    when: str | None = None
    steps: tuple[HookStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredHook:
    """A hook written in YAML: available to ``--hook``, never active by itself."""

    name: str
    points: Mapping[str, DeclaredPoint]
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a debrief."""

    about: Literal["environment", "blockers", "steering"]
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A further question, asked when the expression over the last reply holds."""

    question: str
    when: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DebriefTemplate:
    """What a debrief asks, environment first."""

    name: str
    when: str = "failed_layers"
    preamble: str = ""
    ask: tuple[Question, ...]
    follow_ups: tuple[FollowUp, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StateProbeSpec:
    """How to look at what an agent keeps outside the world: exactly one of ``command``, ``url`` and ``files`` is given.

    ``folder`` is that of the document which says so: the command's, and what relative globs are relative to.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    files: tuple[str, ...] = ()
    timeout_s: float = STATE_PROBE_TIMEOUT_S
    folder: Path
    mark: Mark
