"""What a pack says once it is loaded: frozen, typed, each ``file://`` read, ``include`` joined, each case a scenario.

Text that is a template is a plain ``str``; text that came from a file, a CSV cell or the environment is ``Inert``
and is never rendered. Nested values (check values, arguments, cells) follow the same rule leaf by leaf.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from .hook_documents import DebriefTemplate, DeclaredHook, StateProbeSpec
from .problems import KeyPath, Mark
from .scenario_documents import Scenario
from .tool_documents import Guard, Tool, WorldSpec


class Inert(str):
    """Text that is data: it is never rendered as a template."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A system under test, or a helper. ``settings`` are its runtime's own keys, not yet rendered.

    ``place`` is where its settings stand, if that is not ``agents.<id>``.
    """

    id: str
    runtime: str
    description: str = ""
    role: Literal["subject", "helper"] = "subject"
    gate: bool = True
    guards: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    place: KeyPath = ()
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedAgents:
    """Agents that a pack was given by whoever runs it: from ``file``, with its digest, or from ``options``."""

    ids: tuple[str, ...]
    file: str = ""
    sha256: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A whole pack. ``skeleton`` is a name or an absolute path; ``sha256`` is over every document and file it read.

    ``seed`` is where draws of perturbations come from. ``added``: agents that are no part of it.
    """

    name: str
    description: str = ""
    owner: str = ""
    tags: tuple[str, ...] = ()
    path: Path
    shown: str
    skeleton: str = "standard"
    default_agent: str = ""
    seed: int = 0
    vars: Mapping[str, Any] = field(default_factory=dict)
    agents: Mapping[str, Agent]
    world: WorldSpec = field(default_factory=WorldSpec)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    guards: Mapping[str, Guard] = field(default_factory=dict)
    scenarios: Mapping[str, Scenario]
    hooks: Mapping[str, DeclaredHook] = field(default_factory=dict)
    hook_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    debriefs: Mapping[str, DebriefTemplate] = field(default_factory=dict)
    state_probe: StateProbeSpec | None = None
    sha256: str = ""
    added: tuple[AddedAgents, ...] = ()

    @property
    def bare_ids(self) -> tuple[str, ...]:
        """The ids of its scenarios, where all cells of a matrix count as one."""
        return tuple(dict.fromkeys(scenario.bare_id for scenario in self.scenarios.values()))
