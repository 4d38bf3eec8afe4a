"""A judge or a simulated user is a helper agent: the one that is named, or the only one of the pack."""

from __future__ import annotations

from ...schemas.nearest import did_you_mean
from .built import Built
from .node import Node


def lint_helper(built: Built, node: Node, key: str, what: str) -> None:
    """Add a fault where ``node`` names no helper at ``key``, and where it names none at all and must."""
    helpers = [agent.id for agent in built.pack.agents.values() if agent.role == "helper"]
    named = node.get(key)
    if named is None:
        if key not in node.value and len(helpers) != 1 and built.sound("agents"):
            told = f"several helpers: {', '.join(helpers)}" if helpers else "no helper"
            remedy = (
                f"name one: {key}: {helpers[0]}" if helpers else f"declare an agent with role: helper as the {what}"
            )
            node.fault(f"the {what} is not named, and the pack has {told}", remedy)
    elif named.value in built.pack.agents and built.pack.agents[named.value].role != "helper":
        named.fault(f"'{named.value}' is an agent under test", f"give the {what} an agent with role: helper")
    elif named.value not in built.ids("agents"):
        named.fault(f"there is no agent '{named.value}'", did_you_mean(named.value, helpers, what="helpers"))
