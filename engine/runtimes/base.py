"""How the bench reaches an agent: a runtime provisions a handle, a handle carries turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...hooks.guards import PythonGuard
from ...schemas.documents import Agent, Pack
from ...schemas.problems import Problems
from ...schemas.records import Usage
from ..model_calls import Purpose
from ..session import Session

__all__ = ["Handle", "Purpose", "Reply", "ResolvedAgent", "Runtime", "RuntimeFault"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back for one user turn. ``usage`` None: some model call of the turn did not tell it."""

    text: str
    usage: Usage | None = None
    finish_reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedAgent:
    """An agent whose settings are rendered (``late`` keys of its runtime aside), with its secrets known to the bench.

    ``env`` is the environment as it was at the start: late templates and the choice of a proxy read it. ``guards`` are
    those of its guards that the pack does not declare, by the name it gives them; the tool host asks them.
    """

    agent: Agent
    settings: Mapping[str, Any]
    env: Mapping[str, str] = field(default_factory=dict)
    guards: Mapping[str, PythonGuard] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.agent.id


class RuntimeFault(Exception):
    """The agent could not be reached or answered nonsense: the run is ERROR, with this text, never FAIL."""


async def nothing_to_reset(handle: object) -> None:
    """The ``reset_state`` of a handle that keeps nothing between sessions; no run has to wait for it."""


class Handle(Protocol):
    """One provisioned agent."""

    @property
    def model(self) -> str:
        """The model's name, "" where there is none."""
        ...

    async def reset_state(self) -> None:
        """Leave nothing of the run before. Raises RuntimeFault."""
        ...

    async def send(self, session: Session, text: str, *, purpose: Purpose = "turn") -> Reply:
        """Carry one user turn into the session and return the agent's answer. Raises RuntimeFault.

        Tools are called through ``session.host``. A runtime that calls a model itself makes each attempt through
        ``session.models``, so that hooks hear of it. Cancelled at the turn's deadline: must not swallow the
        cancellation.
        """
        ...

    async def teardown(self) -> None:
        """Give back what ``provision`` took; never raises."""
        ...

    def describe_surface(self, session: Session) -> Mapping[str, Any]:
        """What the agent is shown: ``system_prompt``, ``sampling`` and what else the runtime knows, a segment each.

        Only what is the same wherever the agent stands: no address. ``tools``, a list of definitions, takes the place
        of the bench's own.
        """
        ...


class Runtime(Protocol):
    """A driver. ``late`` names the settings that hold run-time templates and are rendered by the runtime itself.

    ``delivers`` is what a scenario may bring to its agents: ``tool-fault`` where their calls go through
    ``session.host``, ``history`` where it places ``session.history`` before the first turn, ``sampling`` where an agent
    samples as the settings' ``sampling`` (with the cell of a matrix laid over it) says when it is provisioned, and
    ``describe_surface`` shows it. One that does not say delivers none.
    """

    name: str
    independent_sessions: bool
    late: frozenset[str]
    delivers: frozenset[str]

    def check(self, agent: Agent, pack: Pack, problems: Problems) -> None:
        """Add a fault for what the JSON Schema cannot see (a script that calls an undeclared tool)."""
        ...

    async def provision(self, agent: ResolvedAgent, pack: Pack) -> Handle:
        """Make the agent ready. Raises RuntimeFault."""
        ...
