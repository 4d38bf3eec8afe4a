"""Let the checks of a run ask their judges, which are helper agents."""

from __future__ import annotations

from .aux_agents import AuxFault
from .scopes import RunScope
from .scoring.base import GraderFault, Judge


def judge_of(run: RunScope) -> Judge:
    """What scoring asks: a fresh session for every question, so that no judgement leans on another."""

    async def ask(agent_id: str, question: str, timeout_s: float) -> str:
        if run.session is None:
            raise GraderFault("there is no session to judge in")
        try:
            async with run.batch.aux.session(agent_id, run.session, "llm_rubric") as session:
                return await session.ask(question, timeout_s)
        except AuxFault as fault:
            raise GraderFault(str(fault)) from None

    return ask
