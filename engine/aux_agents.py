"""Ask the helper agents of a batch: judges and simulated users. Each is made ready once, and none has tools."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, MutableMapping
from contextlib import asynccontextmanager
from typing import Literal

from ..schemas.bounded import clean_text, describe_error
from ..schemas.documents import Pack
from ..schemas.records import Turn
from .clock import iso
from .latency import Latency
from .runtimes.all_runtimes import runtime_named
from .runtimes.base import Handle, ResolvedAgent, RuntimeFault
from .session import Session
from .tools.no_tools import NoTools
from .within import Overdue, within
from .witness import Witness

AuxTask = Literal["llm_rubric", "simulated_user"]

MOST_CHARACTERS = 1 << 17  # of one question
FAULT_CHARACTERS = 2000
TEARDOWN_TIMEOUT_S = 30.0
_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"


class AuxFault(Exception):
    """A helper did not answer: bench trouble, never the agent's. The text names the helper and the cause."""


class AuxOverdue(AuxFault):
    """A helper did not answer in time."""


class AuxAgents:
    """The helper agents of one batch. ``locks`` are the sweep's, for agents whose sessions share one state."""

    def __init__(
        self, pack: Pack, resolved: Mapping[str, ResolvedAgent], locks: MutableMapping[tuple[str, str], asyncio.Lock]
    ) -> None:
        self._pack = pack
        self._resolved = resolved
        self._locks = locks
        self._handles: dict[str, Handle] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def session(self, agent_id: str, parent: Session, task: AuxTask) -> AsyncIterator[AuxSession]:
        """A fresh conversation with a helper, within the parent's run. Raises AuxFault for one that is not there."""
        agent = self._resolved.get(agent_id)
        if agent is None:
            raise AuxFault(f"helper '{agent_id}' is not at hand")
        opened = AuxSession(self, agent_id, _session(agent_id, parent, task))
        if runtime_named(agent.agent.runtime).independent_sessions:
            yield opened
            return
        async with self._locks.setdefault((self._pack.name, agent_id), asyncio.Lock()):
            yield opened

    async def handle(self, agent_id: str) -> Handle:
        """The helper, made ready when it is first asked. Raises what its runtime raises."""
        async with self._opening.setdefault(agent_id, asyncio.Lock()):
            if agent_id not in self._handles:
                agent = self._resolved[agent_id]
                self._handles[agent_id] = await runtime_named(agent.agent.runtime).provision(agent, self._pack)
            return self._handles[agent_id]

    def give_up(self, agent_id: str, handle: Handle | None) -> None:
        """Leave a helper behind that could not be cancelled; whoever asks next gets a fresh one."""
        if handle is not None and self._handles.get(agent_id) is handle:
            del self._handles[agent_id]

    async def close(self) -> list[str]:
        """Give all helpers back; what could not be is told. Never raises."""
        handles, self._handles = self._handles, {}
        told = []
        for agent_id, handle in handles.items():
            try:
                await within(handle.teardown(), TEARDOWN_TIMEOUT_S)
            except Overdue:
                told.append(f"helper '{agent_id}' was not torn down within {TEARDOWN_TIMEOUT_S:g} s")
            except Exception as error:  # noqa: BLE001 - a runtime raises what it likes
                told.append(f"helper '{agent_id}' was not torn down: {describe_error(error)}")
        return told


class AuxSession:
    """One conversation with a helper; it keeps what was said in it."""

    def __init__(self, owner: AuxAgents, agent_id: str, session: Session) -> None:
        self._owner = owner
        self._agent_id = agent_id
        self._session = session
        self._handle: Handle | None = None

    async def ask(self, text: str, timeout_s: float) -> str:
        """What the helper answers, masked and bounded; AuxFault for all that keeps it from answering in time."""
        session, name = self._session, f"helper '{self._agent_id}'"
        mask, took = session.secrets.mask, Latency(session.clock)
        text = clean_text(mask(text), MOST_CHARACTERS)
        number, started_at = session.witness.begin_turn(text), iso(session.clock.now())
        try:
            with took:
                answer = await within(self._send(text), timeout_s)
        except Overdue as overdue:
            if overdue.stuck:
                self._owner.give_up(self._agent_id, self._handle)
            raise AuxOverdue(_late(name, timeout_s)) from None
        except RuntimeFault as fault:
            raise AuxFault(f"{name}: {clean_text(mask(str(fault)), FAULT_CHARACTERS)}") from None
        except Exception as error:  # noqa: BLE001 - a runtime raises what it likes
            raise AuxFault(f"{name}: {mask(describe_error(error))}") from None
        if session.clock.virtual and took.seconds > timeout_s:
            raise AuxOverdue(_late(name, timeout_s))
        answer = clean_text(mask(answer))
        turn = Turn(n=number, user=text, reply=answer, started_at=started_at, seconds=took.seconds)
        session.witness.record_turn(turn)
        return _without_thought(answer, name)

    async def _send(self, text: str) -> str:
        if self._handle is None:
            self._handle = await self._owner.handle(self._agent_id)
            await self._handle.reset_state()
        return str((await self._handle.send(self._session, text)).text)


def _session(agent_id: str, parent: Session, task: AuxTask) -> Session:
    """A session of the helper's own, on the clock and with the names of the run it serves; hooks hear whose it is."""
    session_id = parent.clock.token()
    models = parent.models.helper(agent=agent_id, session_id=session_id, aux_task=task)
    return Session(
        session_id=session_id, run_number=parent.run_number, host=NoTools(), witness=Witness(), clock=parent.clock,
        secrets=parent.secrets, names=parent.names, events=models.events, models=models,
    )


def _late(name: str, timeout_s: float) -> str:
    return f"{name} did not answer within {timeout_s:.3g} s"


def _without_thought(answer: str, name: str) -> str:
    """The answer without the reasoning that some models put before it. Raises AuxFault where there is nothing else."""
    told = answer.strip()
    if not told.startswith(_THOUGHT):
        return told
    _, ended, rest = told.partition(_THOUGHT_ENDS)
    if not ended:
        raise AuxFault(f"{name} reasoned and gave no answer; give it more tokens")
    return rest.strip()
