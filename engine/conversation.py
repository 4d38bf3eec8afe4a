"""Give the user's turns one by one: fixed ones as they stand, those of a simulated user as it makes them up."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from ..schemas.bounded import clean_text
from ..schemas.codec import UNSET
from ..schemas.documents import Inert
from ..schemas.errors import AbsentFault, TemplateFault
from ..schemas.scenario_documents import SimulatedTurn, UserTurn
from ..schemas.templates import holds, render_text
from .aux_agents import AuxFault, AuxOverdue, AuxSession
from .latency import Latency
from .scopes import RunScope
from .simulated_user import STOP, briefing
from .stages.base import StageFailure

SPEAK_TIMEOUT_S = 60.0
SILENCE = "(The assistant said nothing.)"


async def user_turns(run: RunScope) -> AsyncGenerator[UserTurn]:
    """Every user turn of the run, each when the one before it was answered.

    Raises StageFailure where a simulated user cannot go on: the bench's trouble, never the agent's.
    """
    for turn in run.batch.scenario.turns:
        if isinstance(turn, UserTurn):
            yield turn
            continue
        async with aclosing(_simulated(run, turn)) as told:
            async for said in told:
                yield said


async def _simulated(run: RunScope, turn: SimulatedTurn) -> AsyncGenerator[UserTurn]:
    """What the simulated user says, until it is done. It speaks first; its session lasts for all of its turns."""
    if run.session is None:
        raise StageFailure("there is no session for the simulated user")
    try:
        message = _briefing(run, turn)
        async with run.batch.aux.session(turn.agent, run.session, "simulated_user") as session:
            for _ in range(turn.max_turns):
                said = await _speak(run, session, message)
                if not said or STOP in said:
                    _refuse_silence(run, turn)
                    return
                yield UserTurn(user=Inert(said), simulated_by=turn.agent, mark=turn.mark)
                if run.stopped or run.broken or _done(run, turn):
                    return
                message = _last_reply(run) or SILENCE
    except AuxFault as fault:
        raise StageFailure(f"the simulated user: {fault}") from None


async def _speak(run: RunScope, session: AuxSession, message: str) -> str:
    """The user's next words. What a helper takes is not the agent's time, but the run must have it left."""
    limit = run.batch.scenario.run_timeout_s
    left = limit - run.driven_s - run.helped_s
    if left <= 0:
        raise AuxFault(f"no time is left: run_timeout_s is {limit:g}")
    took = Latency(run.clock)
    try:
        with took:
            return await session.ask(message, min(left, SPEAK_TIMEOUT_S))
    except AuxOverdue as overdue:
        shorter = f", all that was left of run_timeout_s {limit:g}" if left < SPEAK_TIMEOUT_S else ""
        raise AuxFault(f"{overdue}{shorter}") from None
    finally:
        run.helped_s += took.seconds


def _briefing(run: RunScope, turn: SimulatedTurn) -> str:
    try:
        goal, persona = (render_text(text, run.batch.names) for text in (turn.goal, turn.persona))
    except TemplateFault as fault:
        raise StageFailure(f"{turn.mark}: {fault}") from None
    return briefing(goal, persona, run.witness.turns)


def _refuse_silence(run: RunScope, turn: SimulatedTurn) -> None:
    """A user who says nothing at all, before anybody else has, tries nothing."""
    if not run.witness.turns:
        raise AuxFault(f"helper '{turn.agent}' ended the conversation before it began")


def _done(run: RunScope, turn: SimulatedTurn) -> bool:
    """Whether ``until`` holds; one that asks for a fact which is not there yet does not."""
    if turn.until is None:
        return False
    try:
        return holds(turn.until, {**run.batch.names, **run.witness.facts(), "turn": run.witness.turn})
    except AbsentFault:
        return False
    except TemplateFault as fault:
        raise StageFailure(f"{turn.mark}: until: {fault}") from None


def _last_reply(run: RunScope) -> str:
    reply = run.witness.turns[-1].reply if run.witness.turns else UNSET
    return clean_text(reply).strip() if reply is not UNSET else ""
