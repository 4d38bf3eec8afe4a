"""Tell which perturbations a runtime cannot bring to its agents: such a pair is left out, never run to be INVALID."""

from __future__ import annotations

from collections.abc import Collection

from ...schemas.documents import Agent, Scenario
from ..runtimes.all_runtimes import runtime_named

_LACKS = {
    "tool-fault": "its calls do not pass the bench's tools",
    "history": "it does not take a conversation that has already begun",
}


def undeliverable(scenario: Scenario, agent: Agent) -> str:
    """Why the agent cannot be given the scenario's perturbations; "" where it can."""
    if not scenario.perturb or scenario.skip is not None:
        return ""
    delivers: Collection[str] = getattr(runtime_named(agent.runtime), "delivers", frozenset())
    for one in scenario.perturb:
        if one.family not in delivers:
            return f"runtime '{agent.runtime}' cannot deliver {one.shown}: {_LACKS[one.family]}"
    return ""
