"""Refuse settings of an ``openai`` agent that its JSON Schema cannot see to be wrong."""

from __future__ import annotations

from ...schemas.documents import Agent, Inert, Pack
from ...schemas.problems import Problems
from ...schemas.templates import template_faults
from .base import RuntimeFault
from .late_names import names_of
from .openai_address import chat_url
from .sampling import RESERVED


def check_settings(agent: Agent, pack: Pack, problems: Problems) -> None:
    """Add a fault for an address that is none, for sampling keys that are not the agent's, and for the prompt."""
    _base_url(agent, problems)
    _sampling(agent, problems)
    prompt = agent.settings.get("system_prompt")
    if isinstance(prompt, str) and not isinstance(prompt, Inert):
        for fault in template_faults(prompt, "prompt", names_of(pack)):
            message, _, remedy = fault.partition("; ")
            problems.add(agent.mark, ("agents", agent.id, "system_prompt"), message, remedy)


def _base_url(agent: Agent, problems: Problems) -> None:
    base_url = agent.settings.get("base_url")
    if not isinstance(base_url, str) or "{" in base_url:
        return  # known only when it is rendered
    try:
        chat_url(base_url)
    except RuntimeFault as fault:
        message, _, remedy = str(fault).partition("; ")
        problems.add(agent.mark, ("agents", agent.id, "base_url"), message, remedy)


def _sampling(agent: Agent, problems: Problems) -> None:
    """A sampling key must not take the request out of the bench's hands."""
    sampling = agent.settings.get("sampling")
    for key in RESERVED:
        if isinstance(sampling, dict) and key in sampling:
            problems.add(
                agent.mark,
                ("agents", agent.id, "sampling", key),
                f"'{key}' is set by the bench itself",
                "write `stream: true` beside model" if key == "stream" else "take it out of sampling",
            )
