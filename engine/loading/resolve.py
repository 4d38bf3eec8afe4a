"""Make an agent ready for one process: its settings rendered with the environment, its Python guards at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...hooks.errors import HookConfigError
from ...hooks.guards import PythonGuard, load_guard
from ...schemas.documents import Agent, Pack
from ...schemas.errors import DocumentFault, TemplateFault, UsageFault
from ...schemas.problems import Problems
from ...schemas.secrets import Secrets
from ...schemas.templates import env_names, render_setting
from ..runtimes.all_runtimes import runtime_named
from ..runtimes.base import ResolvedAgent


def resolve_agent(agent: Agent, pack: Pack, env: Mapping[str, str], secrets: Secrets) -> ResolvedAgent:
    """The agent with every setting rendered but those its runtime renders late. Raises DocumentFault."""
    late = runtime_named(agent.runtime).late
    names: dict[str, Any] = {"vars": pack.vars}
    if pack.world.now:
        names["now"] = pack.world.now
    settings: dict[str, Any] = {}
    for key, value in agent.settings.items():
        try:
            settings[key] = value if key in late else render_setting(value, names, env, secrets)
        except (TemplateFault, UsageFault) as fault:
            wrong = Problems()
            wrong.add(agent.mark, ("agents", agent.id, key), str(fault))
            raise DocumentFault(wrong) from fault
    return ResolvedAgent(agent=agent, settings=settings, env=env, guards=python_guards(agent, pack))


def python_guards(agent: Agent, pack: Pack) -> dict[str, PythonGuard]:
    """Load those guards of an agent that its pack does not declare, by name. Raises DocumentFault, all faults told."""
    problems, found = Problems(), {}
    for name in agent.guards:
        if name in pack.guards:
            continue
        try:
            found[name] = load_guard(name, pack.path.parent)
        except HookConfigError as fault:
            problems.add(agent.mark, ("agents", agent.id, "guards"), str(fault))
    problems.raise_if_any()
    return found


def how_to_set(agent: Agent, name: str) -> str:
    """What to do about a variable that is not set; the place of an agent that options told of has no line."""
    if not agent.mark.line:
        return "export it, or name another one with --api-key-env"
    return f"set it, or give it a default: {{{{ env.{name} | default('...') }}}}"


def unset_variables(agent: Agent, env: Mapping[str, str]) -> list[str]:
    """The variables without a default that an agent needs and that are not set, sorted."""
    return sorted(name for name in env_names(dict(agent.settings)) if name not in env)
