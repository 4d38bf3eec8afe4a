"""What the stages of a sweep, a batch and a run work on: one scope each, filled in as the walk goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from ..hooks.hook_set import HookSet
from ..hooks.state.snapshot import Snapshot, StateProbe
from ..schemas.documents import Agent, Pack
from ..schemas.records import StageError, TableState, Trace
from ..schemas.scenario_documents import Check, Scenario, UserTurn
from ..schemas.scores import RunVerdict, Score
from ..schemas.secrets import Secrets
from ..schemas.surfaces import Surface
from ..schemas.sweeps import Aggregate
from .artifacts.recorder import SweepRecorder
from .artifacts.slot import RunSlot
from .artifacts.store import RunsDirectory
from .aux_agents import AuxAgents
from .clock import RealClock, RunClock, SeededClock
from .options import RunOptions
from .pacer import Pacer
from .progress import Progress
from .runtimes.base import Handle, ResolvedAgent, Runtime
from .scoring import Weighed
from .session import Session
from .skeleton.steps import Skeleton
from .surface.shared import SharedSurfaces
from .sweep.link import Link
from .witness import Witness
from .world import PreparedWorld, World


@dataclass(slots=True, kw_only=True)
class SweepScope:
    """Everything that the batches of one sweep share."""

    options: RunOptions
    env: Mapping[str, str]
    folder: Path
    clock: RunClock
    today: date
    sweep_id: str
    store: RunsDirectory
    hooks: HookSet
    secrets: Secrets
    recorder: SweepRecorder
    progress: Progress
    link: Link
    slots: asyncio.Semaphore
    surfaces: SharedSurfaces
    pacer: Pacer
    locks: dict[tuple[str, str], asyncio.Lock] = field(default_factory=dict)
    in_flight: set[asyncio.Task[Any]] = field(default_factory=set)
    aggregates: list[Aggregate] = field(default_factory=list)
    interrupted: str = ""

    def interrupt(self, by: str) -> None:
        """Stop as Ctrl-C does: cut off the runs in flight, begin no further one; what is finished stays."""
        self.interrupted = self.interrupted or by
        for task in tuple(self.in_flight):
            task.cancel()

    @asynccontextmanager
    async def turn_of(self, batch: BatchScope) -> AsyncIterator[None]:
        """Hold a place among the runs at once, and the agent itself where all its sessions share one state."""
        if batch.runtime.independent_sessions:
            async with self.slots:
                yield
            return
        async with self.locks.setdefault((batch.pack.name, batch.agent.id), asyncio.Lock()), self.slots:
            yield

    def run_clock(self, *parts: object) -> RunClock:
        """A clock for one run: the machine's, or one made of the seed and the parts."""
        seed = self.options.deterministic
        return RealClock() if seed is None else SeededClock(seed, *parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """What a batch keeps of a run, and no more: ten thousand of them must stay small. ``reason`` is "" on PASS."""

    number: int
    verdict: RunVerdict
    reason: str
    stem: str
    side_effect: bool = False
    guard_fault: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What one check was worth in a run: ``failed``: it found fault; ``without`` is the verdict had it not been there.

    ``check`` is None for a fault that no check found: a timeout.
    """

    layer: str
    label: str
    check: Check | None
    failed: bool
    without: RunVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a look at the state outside the world came to: a snapshot, or (None) a fault in words."""

    snapshot: Snapshot | None = None
    fault: str = ""


@dataclass(slots=True, kw_only=True)
class BatchScope:
    """One scenario with one agent. By run number: ``examined`` and ``looks``, where the skeleton has such stages.

    ``state_probe`` is what the stage ``probe_state`` looks through; None: it does not look. ``surface`` is what the
    latest run was shown.
    """

    sweep: SweepScope
    pack: Pack
    scenario: Scenario
    agent: Agent
    skeleton: Skeleton
    runtime: Runtime
    resolved: ResolvedAgent
    aux: AuxAgents
    handle: Handle | None = None
    prepared: PreparedWorld | None = None
    errors: list[StageError] = field(default_factory=list)
    outcomes: list[RunOutcome] = field(default_factory=list)
    aggregate: Aggregate | None = None
    examined: dict[int, tuple[Examined, ...]] = field(default_factory=dict)
    state_probe: StateProbe | None = None
    looks: dict[int, Look] = field(default_factory=dict)
    names: dict[str, Any] = field(init=False)
    """``vars``, ``case`` and (where a clock is declared) ``now``, as every text of the scenario sees them."""
    surface: Surface = field(default_factory=Surface)
    abandoned_turn: bool = False
    retired: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        return self.pack.name, self.scenario.id, self.agent.id

    def __post_init__(self) -> None:
        self.names = {"vars": self.scenario.vars, "case": self.scenario.case}
        if self.scenario.world.now:
            self.names["now"] = self.scenario.world.now


@dataclass(slots=True, kw_only=True)
class RunScope:
    """One try. ``dead``: it could not begin. ``broken``: skip until the evidence is captured.

    ``driven_s`` are the seconds of the agent's turns, ``helped_s`` those in which helpers made up what the user says.
    """

    batch: BatchScope
    number: int
    clock: RunClock
    run_id: str
    started_at: str
    slot: RunSlot
    witness: Witness = field(default_factory=Witness)
    session: Session | None = None
    world: World | None = None
    surface: Surface = field(default_factory=Surface)
    final_world: dict[str, TableState] = field(default_factory=dict)
    errors: list[StageError] = field(default_factory=list)
    turn: UserTurn | None = None
    stopped: bool = False
    driven_s: float = 0.0
    helped_s: float = 0.0
    dead: bool = False
    broken: bool = False
    trace: Trace | None = None
    weighed: tuple[Weighed, ...] = ()
    score: Score | None = None

    @property
    def session_id(self) -> str:
        return self.session.session_id if self.session is not None else ""
