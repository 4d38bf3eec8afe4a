"""A tool host over a pack, a real world and a real witness, as a session has them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any

from kit.worlds import NAMES, prepared
from windtunnel.engine.call_events import SILENT, CallEvents
from windtunnel.engine.clock import RunClock, SeededClock
from windtunnel.engine.tools.host import ToolHost, ToolResult
from windtunnel.engine.tools.wrappers import Wrapper
from windtunnel.engine.witness import Witness
from windtunnel.engine.world import World
from windtunnel.hooks.guards import PythonGuard
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.records import Call
from windtunnel.schemas.secrets import Secrets

NO_ARGUMENTS: Mapping[str, Any] = MappingProxyType({})


@dataclass
class Bench:
    """One session's host over a pack, with its witness and its world."""

    pack: Pack
    guards: tuple[str, ...] = ()
    clock: RunClock = field(default_factory=lambda: SeededClock("tools"))
    secrets: Secrets = field(default_factory=Secrets)
    witness: Witness = field(default_factory=Witness)
    python_guards: Mapping[str, PythonGuard] = field(default_factory=dict)
    events: CallEvents = SILENT
    wrappers: tuple[Wrapper, ...] = ()
    interrupt: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        scenario = self.pack.scenarios["first"]
        names = {**NAMES, "now": scenario.world.now} if scenario.world.now else NAMES
        self.world: World = prepared(scenario.world).open(Random(1))
        self.host = ToolHost(
            pack=self.pack,
            scenario=scenario,
            agent_id="careful",
            model="m",
            guards=self.guards,
            world=self.world,
            witness=self.witness,
            clock=self.clock,
            secrets=self.secrets,
            names=names,
            python_guards=self.python_guards,
            events=self.events,
            wrappers=self.wrappers,
            interrupt=self.interrupt,
        )
        self.witness.begin_turn("Please look it up.")

    def call(self, name: str, args: object = NO_ARGUMENTS, **keys: Any) -> ToolResult:
        return asyncio.run(self.host.call(name, args, **keys))

    @property
    def last(self) -> Call:
        return self.witness.calls[-1]
