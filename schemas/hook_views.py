"""The agent and the scenario as a hook sees them: what they are, no secret, and no way to reach them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInfo:
    """The agent as a hook sees it: label, prompt and model metadata, no secret and no way to reach it."""

    id: str
    runtime: str
    model: str = ""
    description: str = ""
    system_prompt: str = ""
    sampling: dict[str, Any] = field(default_factory=dict)
    guards: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioInfo:
    """The scenario as a hook sees it."""

    id: str
    description: str = ""
    tags: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    case: dict[str, Any] = field(default_factory=dict)
    vars: dict[str, Any] = field(default_factory=dict)
