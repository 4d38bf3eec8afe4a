"""What is said to an agent, what goes wrong on the way, and what must hold, once it is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .problems import KeyPath, Mark
from .tool_documents import WorldSpec

LAYERS = ("outcome", "trajectory", "constraint")
SEVERITY_WEIGHT = {"low": 1, "medium": 4, "high": 16, "critical": 64}


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTurn:
    """A user turn, sent if ``when`` holds; otherwise skipped, or the conversation stops.

    ``simulated_by`` is the helper that made it up, "" for a fixed turn.
    """

    user: str
    when: str | None = None
    otherwise: Literal["skip", "stop"] = "skip"
    simulated_by: str = ""
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTurn:
    """Turns that the helper ``agent`` makes up: it speaks first, ``max_turns`` times at most, until ``until`` holds."""

    goal: str
    persona: str = ""
    agent: str
    max_turns: int = 5
    until: str | None = None
    mark: Mark


Turns = tuple[UserTurn | SimulatedTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that must hold. ``type`` is without the prefixes ``not-`` and ``trajectory:``.

    ``args`` are the keys of this type alone; ``label`` names it in findings.
    """

    type: str
    negated: bool = False
    name: str = ""
    when: str | None = None
    gate: bool = True
    of: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""
    mark: Mark

    @property
    def shown_type(self) -> str:
        return f"not-{self.type}" if self.negated else self.type


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFailure:
    """A FAIL that is known and does not gate until the day ``until`` is over (ISO date, or "" for ever)."""

    reason: str
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureCost:
    """What a failure costs the user of the agent."""

    severity: Literal["low", "medium", "high", "critical"]
    customer_visible: bool = False
    reversible: bool = True


Script = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Scripts that prove a scenario's checks: golden must pass, each poison must fail. ``path`` is their place."""

    golden: Script = ()
    poison: Mapping[str, Script] = field(default_factory=dict)
    path: KeyPath = ()
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Perturbation:
    """Weather for a scenario; ``index`` is its place in ``perturb``, ``args`` are the further keys of its type.

    A tool fault strikes the calls of ``tool`` whose numbers (from 1 within a run) are ``on_call``; each with a
    ``probability``, if there is one; else every one. All other types shape the history that a session begins with.
    """

    index: int
    type: str
    requires: Literal["met", "applied"] = "met"
    tool: str = ""
    fault: str = ""
    on_call: tuple[int, ...] = ()
    probability: float | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    mark: Mark

    @property
    def family(self) -> Literal["tool-fault", "history"]:
        """What a runtime has to be able to deliver."""
        return "tool-fault" if self.type == "tool-fault" else "history"

    @property
    def shown(self) -> str:
        """``tool-fault timeout on stock_get``, as people read it."""
        return f"{self.type} {self.fault} on {self.tool}" if self.fault else self.type


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """User turns and what must hold, every default filled in; ``world`` is the pack's with the scenario's over it.

    A cell of a ``matrix`` is a scenario too: ``sampling`` is the cell, ``matrix_of`` the id without it ("": no cell).
    """

    id: str
    matrix_of: str = ""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    tags: tuple[str, ...] = ()
    turns: Turns
    expect: Mapping[str, tuple[Check, ...]]
    world: WorldSpec = field(default_factory=WorldSpec)
    vars: Mapping[str, Any] = field(default_factory=dict)
    case: Mapping[str, Any] = field(default_factory=dict)
    agents: tuple[str, ...] = ("*",)
    runs: int = 1
    min_pass_rate: float | None = None
    turn_timeout_s: float = 60.0
    run_timeout_s: float = 300.0
    on_timeout: Literal["fail", "error"] = "fail"
    skip: str | None = None
    known_failure: KnownFailure | None = None
    failure_cost: FailureCost | None = None
    references: References | None = None
    perturb: tuple[Perturbation, ...] = ()
    mark: Mark

    @property
    def bare_id(self) -> str:
        """The id without the cell: all cells of a matrix have it in common."""
        return self.matrix_of or self.id
