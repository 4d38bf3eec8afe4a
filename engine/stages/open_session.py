"""Mint the session: a copy of the world, a fresh witness, and the one tool host between them and the agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..call_events import SILENT, CallEvents, Origin, Wiring
from ..model_calls import UNHEARD, ModelCalls
from ..perturb.weather import Place, WeatherFault, weather_of
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
        try:
            weather = weather_of(Place(
                pack=batch.pack, scenario=batch.scenario, run_number=run.number, names=batch.names,
                witness=run.witness, clock=run.clock, secrets=batch.sweep.secrets,
            ))
        except WeatherFault as fault:
            raise StageFailure(str(fault)) from None
        session_id = run.clock.token()
        events = _events(run, session_id)
        host = ToolHost(
            pack=batch.pack, scenario=batch.scenario, agent_id=batch.agent.id, model=batch.handle.model,
            guards=batch.agent.guards, world=run.world, witness=run.witness, clock=run.clock,
            secrets=batch.sweep.secrets, names=batch.names, run_id=run.run_id, session_id=session_id,
            python_guards=batch.resolved.guards, events=events, wrappers=weather.wrappers,
            interrupt=lambda: batch.sweep.interrupt("SIGINT"),
        )
        run.session = Session(
            session_id=session_id, run_number=run.number, host=host, witness=run.witness,
            clock=run.clock, secrets=batch.sweep.secrets, names=batch.names, events=events,
            history=weather.history, models=UNHEARD if events is SILENT else ModelCalls(events, witness=run.witness),
        )


class _RunHearing:
    """What hooks come to while they hear of calls is kept with the run."""

    def __init__(self, run: RunScope) -> None:
        self._run = run

    def fault(self, hook: str, message: str, count: int) -> None:
        self._run.slot.faults.add(hook, self._run.batch.sweep.secrets.mask(message), count)

    def interrupt(self) -> None:
        self._run.batch.sweep.interrupt("SIGINT")


def _events(run: RunScope, session_id: str) -> CallEvents:
    """The call events of the run; where no hook hears any, nothing is made for them."""
    batch, sweep = run.batch, run.batch.sweep
    if not sweep.hooks.calls.heard(batch.pack.name):
        return SILENT
    origin = Origin(
        run_id=run.run_id, session_id=session_id, pack=batch.pack.name, scenario=batch.scenario.id, agent=batch.agent.id
    )
    ids = sweep.run_clock(*batch.key, run.number, "hooks")
    return CallEvents(origin, Wiring(
        observers=sweep.hooks.calls, hearing=_RunHearing(run), clock=run.clock, ids=ids, secrets=sweep.secrets,
    ))
