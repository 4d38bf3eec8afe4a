"""Agents: the default one exists, guards exist, and each runtime finds its own settings in order."""

from __future__ import annotations

from ...schemas.documents import Agent
from ...schemas.errors import UsageFault
from ...schemas.nearest import did_you_mean
from ...schemas.problems import Mark
from ..runtimes.all_runtimes import runtime_named
from ..runtimes.base import Runtime
from .built import Built
from .guards import lint_guard
from .lint_runtime import ask_runtime
from .node import Node


def lint_agents(built: Built) -> None:
    """Add a fault for each name that does not exist and each setting that does not hold."""
    _default_agent(built)
    told: set[tuple[Mark, str]] = set()  # what is inherited is told once, where it is written
    for name, node in built.nodes("agents"):
        agent = built.pack.agents.get(name)
        if agent is None:
            continue
        _guards(built, node, told)
        runtime = _runtime(node, agent)
        if runtime is not None and built.sound("agents", name):
            _settings(built, node, runtime)
            ask_runtime(built, agent, built.pack, told)


def _default_agent(built: Built) -> None:
    node = built.root.get("default_agent")
    if node is None:
        return
    known = built.ids("agents")
    if node.value not in known:
        node.fault(f"there is no agent '{node.value}'", did_you_mean(node.value, known, what="agents"))
    elif (agent := built.pack.agents.get(node.value)) and agent.role == "helper":
        node.fault(
            f"'{node.value}' is a helper, which is never benched", "name an agent under test, or remove its role"
        )


def _guards(built: Built, node: Node, told: set[tuple[Mark, str]]) -> None:
    listed = node.get("guards")
    for guard in listed.items() if listed else ():
        if (guard.mark, guard.value) not in told:
            told.add((guard.mark, guard.value))
            lint_guard(guard, built.ids("guards"))


def _runtime(node: Node, agent: Agent) -> Runtime | None:
    if not agent.runtime:
        return None
    try:
        return runtime_named(agent.runtime)
    except UsageFault as fault:
        message, _, remedy = str(fault).partition("; ")
        (node.get("runtime") or node).fault(message, remedy)
        return None


def _settings(built: Built, node: Node, runtime: Runtime) -> None:
    """Settings see ``vars``, ``now`` and ``env``; those a runtime renders for each run see the case as well."""
    known = built.known_anywhere()
    for key, member in node.settings():
        if key not in runtime.late and key not in ("runtime", "description", "role", "guards"):
            built.templates.value(member, "setting", known)
