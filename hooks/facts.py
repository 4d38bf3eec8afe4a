"""The names that declared hooks and debriefs see (DESIGN 3.2): plain data, and only what holds at the point."""

from __future__ import annotations

from typing import Any

from ..schemas.facts import conversation_facts, score_facts
from ..schemas.hook_views import AgentInfo, ScenarioInfo
from ..schemas.records import Call, Trace, Turn
from ..schemas.scores import Score
from .context import HookContext


def context_names(ctx: HookContext) -> dict[str, Any]:
    """``run_id session_id scenario agent vars case turns calls verdict failed_layers reasons``, what holds here."""
    names = _about(ctx.scenario, ctx.agent)
    if ctx.run_id:
        names["run_id"] = ctx.run_id
    if ctx.session_id:
        names["session_id"] = ctx.session_id
    if ctx.turns is not None:
        names |= _conversation(ctx.turns, ctx.calls or [])
    if ctx.score is not None:
        names |= score_facts(ctx.score)
    return names


def saved_run_names(trace: Trace, score: Score) -> dict[str, Any]:
    """The names of a run on disk; its scenario's ``vars``, ``case`` and ``tags`` are not there, and are empty."""
    names = _about(ScenarioInfo(id=trace.scenario_id), AgentInfo(id=trace.agent, runtime="", model=trace.model))
    names |= {"run_id": trace.run_id, "session_id": trace.session_id}
    return names | _conversation(trace.turns, trace.calls) | score_facts(score)


def _about(scenario: ScenarioInfo | None, agent: AgentInfo | None) -> dict[str, Any]:
    names: dict[str, Any] = {"vars": {}, "case": {}}
    if scenario is not None:
        names |= {"scenario": {"id": scenario.id, "tags": scenario.tags}, "vars": scenario.vars, "case": scenario.case}
    if agent is not None:
        names["agent"] = {"id": agent.id, "model": agent.model}
    return names


def _conversation(turns: list[Turn], calls: list[Call]) -> dict[str, Any]:
    """``reply`` is left out: in a follow-up it is the debrief's own."""
    facts = conversation_facts(turns, calls)
    return {"turns": facts["turns"], "calls": facts["calls"]}
