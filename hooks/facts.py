"""The names that declared hooks and debriefs see (DESIGN 3.2): plain data, and only what holds at the point."""

from __future__ import annotations

from typing import Any

from ..schemas.facts import conversation_facts, score_facts
from .context import HookContext


def context_names(ctx: HookContext) -> dict[str, Any]:
    """``run_id session_id scenario agent vars case turns calls verdict failed_layers reasons``, absent where unknown."""
    names: dict[str, Any] = {"vars": {}, "case": {}}
    if ctx.run_id:
        names["run_id"] = ctx.run_id
    if ctx.session_id:
        names["session_id"] = ctx.session_id
    if ctx.scenario is not None:
        scenario = ctx.scenario
        names |= {"scenario": {"id": scenario.id, "tags": scenario.tags}, "vars": scenario.vars, "case": scenario.case}
    if ctx.agent is not None:
        names["agent"] = {"id": ctx.agent.id, "model": ctx.agent.model}
    if ctx.turns is not None:
        facts = conversation_facts(ctx.turns, ctx.calls or [])
        names |= {"turns": facts["turns"], "calls": facts["calls"]}
    if ctx.score is not None:
        names |= score_facts(ctx.score)
    return names
