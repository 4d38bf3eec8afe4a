"""An agent that a pack does not declare: told by options, as data, so that any pack can be benched with it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """One agent; "" and empty mean not said. Nothing in it is a template.

    ``api_key_env`` is the variable that holds the key, never the key. ``extends`` is an agent of the pack to begin
    with. ``agent_id`` left out: made of the model's name. ``system_prompt`` is the path of a text file.
    """

    runtime: str = ""
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    system_prompt: str | os.PathLike[str] = ""
    extends: str = ""
    agent_id: str = ""


def flag_of(member: str) -> str:
    """The option that says a member of AgentOptions: ``base_url`` is ``--base-url``."""
    return f"--{member.replace('_', '-')}"


AddedAgent = AgentOptions | str | os.PathLike[str]
"""An agent by options, or the path of a document of kind ``pack_part`` that holds ``agents``."""
