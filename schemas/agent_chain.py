"""Follow ``extends`` from an agent to the one that names its runtime."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def runtime_of(name: str, agents: Mapping[str, Any]) -> str | None:
    """The runtime of an agent as written; None where the chain leaves the mapping, goes in a circle or is not sound."""
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        agent = agents.get(name)
        if not isinstance(agent, dict):
            return None
        if "runtime" in agent:
            return agent["runtime"] if isinstance(agent["runtime"], str) else None
        base = agent.get("extends")
        if not isinstance(base, str):
            return None
        name = base
    return None
