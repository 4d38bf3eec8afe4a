"""Render an agent's settings for one process: environment in, secrets known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.documents import Agent, Pack
from ...schemas.errors import TemplateFault, UsageFault
from ...schemas.secrets import Secrets
from ...schemas.templates import env_names, render_setting
from ..runtimes.all_runtimes import runtime_named
from ..runtimes.base import ResolvedAgent


def resolve_agent(agent: Agent, pack: Pack, env: Mapping[str, str], secrets: Secrets) -> ResolvedAgent:
    """The agent with every setting rendered but those its runtime renders late. Raises UsageFault."""
    late = runtime_named(agent.runtime).late
    names: dict[str, Any] = {"vars": pack.vars}
    if pack.world.now:
        names["now"] = pack.world.now
    settings: dict[str, Any] = {}
    for key, value in agent.settings.items():
        try:
            settings[key] = value if key in late else render_setting(value, names, env, secrets)
        except (TemplateFault, UsageFault) as fault:
            raise UsageFault(f"{agent.mark}: agents.{agent.id}.{key}: {fault}") from fault
    return ResolvedAgent(agent=agent, settings=settings, env=env)


def unset_variables(agent: Agent, env: Mapping[str, str]) -> list[str]:
    """The variables without a default that an agent needs and that are not set, sorted."""
    return sorted(name for name in env_names(dict(agent.settings)) if name not in env)
