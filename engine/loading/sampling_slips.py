"""Notice a sampling setting that is probably a slip: endpoints pass over many a name that they do not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.documents import Pack
from ...schemas.nearest import nearest
from ...schemas.problems import Mark

SETTINGS = (
    "dry_multiplier", "frequency_penalty", "length_penalty", "logit_bias", "logprobs", "max_completion_tokens",
    "max_tokens", "min_p", "min_tokens", "mirostat", "parallel_tool_calls", "presence_penalty",
    "reasoning_effort", "repeat_penalty", "repetition_penalty", "response_format", "seed", "service_tier",
    "stop", "stop_token_ids", "temperature", "tool_choice", "top_a", "top_k", "top_logprobs", "top_p",
    "typical_p", "user", "verbosity",
)  # fmt: skip
"""What endpoints are known to take, that of OpenAI and the common ones with weights of their own."""


def sampling_slips(pack: Pack) -> Iterator[tuple[Mark, str]]:
    """Where the setting is, and what is odd about it, once for each place."""
    found = {
        (mark, key): f"{where} '{key}', which may be a slip for '{meant}'; it is sent as it stands"
        for mark, where, settings in _settings(pack) for key in settings
        if isinstance(key, str) and key not in SETTINGS and (meant := nearest(key, SETTINGS)) is not None
    }
    for (mark, _), told in found.items():
        yield mark, told


def _settings(pack: Pack) -> Iterator[tuple[Mark, str, Mapping[str, Any]]]:
    for agent in pack.agents.values():
        if isinstance(told := agent.settings.get("sampling"), dict):
            yield agent.mark, f"agent '{agent.id}' is sampled with", told
    for scenario in pack.scenarios.values():
        if scenario.matrix_of:
            yield scenario.mark, f"the matrix of '{scenario.matrix_of}' sets", scenario.sampling
