"""Mint the session: a copy of the world, a fresh witness, and the one tool host between them and the agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..scopes import RunScope
from ..session import Session
from ..skeleton.contracts import contract
from ..tools.host import ToolHost
from ..world import SqlFault
from .base import RunStage, StageFailure


class OpenSession(RunStage):
    name = "open_session"
    summary = "opens a session with a world and a tool host of its own"
    phase = "setup"
    contract = contract("run", needs="fresh handle world", gives="session", bars="session")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        batch = run.batch
        if batch.prepared is None or batch.handle is None:
            raise StageFailure("there is no world or no agent")
        try:
            run.world = batch.prepared.open(run.clock.random)
        except SqlFault as fault:
            raise StageFailure(str(fault)) from None
        host = ToolHost(
            pack=batch.pack, scenario=batch.scenario, agent_id=batch.agent.id, model=batch.handle.model,
            guards=batch.agent.guards, world=run.world, witness=run.witness, clock=run.clock,
            secrets=batch.sweep.secrets, names=batch.names,
        )
        run.session = Session(
            session_id=run.clock.token(), run_number=run.number, host=host, witness=run.witness,
            clock=run.clock, secrets=batch.sweep.secrets, names=batch.names,
        )
