"""Tell what a runtime cannot bring to its agents, a perturbation or the cell of a matrix: such a pair is left out.

It is never run to be INVALID.
"""

from __future__ import annotations

from collections.abc import Collection

from ...schemas.cells import cell_text
from ...schemas.documents import Agent
from ...schemas.scenario_documents import Scenario
from ..runtimes.all_runtimes import runtime_named

_LACKS = {
    "tool-fault": "its calls do not pass the bench's tools",
    "history": "it does not take a conversation that has already begun",
}


def undeliverable(scenario: Scenario, agent: Agent) -> str:
    """Why the agent cannot be given the scenario's perturbations or its cell; "" where it can."""
    if not (scenario.perturb or scenario.sampling) or scenario.skip is not None:
        return ""
    delivers: Collection[str] = getattr(runtime_named(agent.runtime), "delivers", frozenset())
    if scenario.sampling and "sampling" not in delivers:
        cell = cell_text(scenario.sampling)
        return f"runtime '{agent.runtime}' cannot deliver {cell}: the bench does not choose how its agents sample"
    for one in scenario.perturb:
        if one.family not in delivers:
            return f"runtime '{agent.runtime}' cannot deliver {one.shown}: {_LACKS[one.family]}"
    return ""
