"""Fire a point: gather the facts that hold there, let the hooks see copies of them, keep what they have to say."""

from __future__ import annotations

import asyncio
from typing import Any

from ..hooks.channel import Channel
from ..hooks.points import ALL_AGGREGATES, CONVERSE_POINT, PointFacts
from ..schemas.bounded import describe_error
from ..schemas.codec import encode
from ..schemas.hook_views import AgentInfo, ScenarioInfo
from ..schemas.records import Call, Trace, Turn
from ..schemas.scenario_documents import SimulatedTurn, UserTurn
from ..schemas.scores import Score
from ..schemas.sweeps import Aggregate
from .channel import RunChannel, SweepChannel
from .descriptor import hold_standard_streams
from .off_loop import off_loop
from .scopes import BatchScope, RunScope, SweepScope

Members = dict[str, tuple[bytes, Any]]


async def fire_run_point(run: RunScope, point: str) -> None:
    """Fire a point of one run; complete, or abandoned by the hooks' own deadlines, when this returns."""
    hooks, pack = run.batch.sweep.hooks, run.batch.pack.name
    if not hooks.wants(point, pack):
        return
    if run.session is not None:
        await run.session.events.settled()  # what went before this point has been told before it fires
    members = _batch_members(run.batch)
    if run.trace is not None:
        members["trace"] = (encode(run.trace), Trace)
    else:
        members["turns"] = (encode(run.witness.turns), list[Turn])
        members["calls"] = (encode(run.witness.calls), list[Call])
    if run.score is not None:
        members["score"] = (encode(run.score), Score)
    channel = RunChannel(run, may_converse=point == CONVERSE_POINT, loop=asyncio.get_running_loop())
    facts = PointFacts(
        run_id=run.run_id, session_id=run.session_id, elapsed_s=run.clock.elapsed(), members=members
    )
    await _dispatch(run.batch.sweep, point, pack, facts, channel)


async def fire_batch_point(batch: BatchScope, point: str) -> None:
    """Fire a point of a batch."""
    sweep = batch.sweep
    if not sweep.hooks.wants(point, batch.pack.name):
        return
    members = _batch_members(batch)
    if batch.aggregate is not None:
        members["aggregate"] = (encode(batch.aggregate), Aggregate)
    await _fire_above_runs(sweep, batch, point, batch.pack.name, members)


async def fire_sweep_point(sweep: SweepScope, point: str) -> None:
    """Fire a point of the sweep, once for all packs."""
    if sweep.hooks.wants(point, None):
        members: Members = {"aggregate": (encode(sweep.aggregates), ALL_AGGREGATES)}
        await _fire_above_runs(sweep, None, point, None, members)


async def _fire_above_runs(
    sweep: SweepScope, batch: BatchScope | None, point: str, pack: str | None, members: Members
) -> None:
    channel = SweepChannel(sweep.recorder, batch, sweep.secrets)
    try:
        await _dispatch(sweep, point, pack, PointFacts(members=members), channel)
    finally:
        for line in channel.close():
            sweep.progress.warn(line)


async def _dispatch(sweep: SweepScope, point: str, pack: str | None, facts: PointFacts, channel: Channel) -> None:
    """Fire the hooks on a thread of their own; a hook's KeyboardInterrupt interrupts as Ctrl-C does."""
    try:
        await off_loop(sweep.hooks.fire, point, pack, facts, channel)
    except KeyboardInterrupt:
        sweep.interrupt("SIGINT")
    except RuntimeError as unstartable:  # no thread to be had; hooks raise nothing through here
        for name in sweep.hooks.listening(point, pack):
            channel.fault(name, f"{point}: {describe_error(unstartable)}", 1)
    finally:
        hold_standard_streams()


def _batch_members(batch: BatchScope) -> Members:
    return {"scenario": (encode(scenario_info(batch)), ScenarioInfo), "agent": (encode(agent_info(batch)), AgentInfo)}


def scenario_info(batch: BatchScope) -> ScenarioInfo:
    """The scenario as hooks see it; turns are shown as declared, not rendered."""
    scenario = batch.scenario
    return ScenarioInfo(
        id=scenario.id, description=scenario.description, tags=list(scenario.tags),
        turns=[_shown(turn) for turn in scenario.turns], case=dict(scenario.case), vars=dict(scenario.vars),
    )


def _shown(turn: UserTurn | SimulatedTurn) -> str:
    return str(turn.user) if isinstance(turn, UserTurn) else f"simulated by {turn.agent}: {turn.goal}"


def agent_info(batch: BatchScope) -> AgentInfo:
    """The agent as hooks see it: its metadata, masked, and no way to reach it."""
    agent = batch.agent
    settings = batch.resolved.settings
    mask = batch.sweep.secrets.mask
    sampling = settings.get("sampling")
    return AgentInfo(
        id=agent.id, runtime=agent.runtime, description=agent.description, guards=list(agent.guards),
        model=mask(batch.handle.model) if batch.handle else mask(str(settings.get("model", ""))),
        system_prompt=mask(str(settings.get("system_prompt", ""))),
        sampling=batch.sweep.secrets.mask_value(dict(sampling)) if isinstance(sampling, dict) else {},
    )
