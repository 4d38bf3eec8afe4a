"""A model attempt or a tool call as a span: ``chat MODEL``, ``execute_tool NAME``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...schemas.codec import encode
from ...schemas.hook_views import AgentInfo
from ..run_log import Heard
from .span import Span, known

IN_PROCESS = "scripted"
OTHER = "_OTHER"
_TYPE = re.compile(r"[A-Za-z_][\w.]{0,79}(?=:|\Z)")
_SAMPLING = {
    "temperature": float, "top_p": float, "top_k": float, "frequency_penalty": float, "presence_penalty": float,
    "max_tokens": int, "seed": int,
}


class CallSpans:
    """Makes the spans of one run's calls. A call whose end was not seen ends with the run."""

    def __init__(
        self, providers: Mapping[str, str], agent: AgentInfo, entries: Iterable[Heard], *, end_ms: float, content: bool
    ) -> None:
        self._providers = providers
        self._sampling = _sampling(agent.sampling)
        self._end_ms = end_ms
        self._content = content
        self._streams = {heard.began["request_id"]: heard for heard in entries if heard.kind == "stream"}

    def span(self, heard: Heard) -> Span:
        at_ms = heard.began["at_ms"]
        end_ms = at_ms + heard.ended["duration_ms"] if heard.ended else max(at_ms, self._end_ms)
        fields = {"status": "cancelled", "error": "", **heard.began, **heard.ended}
        make = self._tool if heard.kind == "tool" else self._attempt
        span = make(fields, heard)
        span.at_ms, span.end_ms = at_ms, end_ms
        span.error_text = fields["error"] if span.error_type and self._content else ""
        return span

    def _tool(self, fields: Mapping[str, Any], _heard: Heard) -> Span:
        attributes = {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": fields["name"], "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": fields["provider_call_id"] or fields["tool_call_id"],
            "windtunnel.tool.effect": fields["effect"], "windtunnel.tool.status": fields["status"],
        }
        if self._content:
            attributes["gen_ai.tool.call.arguments"] = encode(fields["args"]).decode()
            attributes["gen_ai.tool.call.result"] = fields.get("result", "")
        failed = {"error": "tool_error", "blocked": "blocked", "cancelled": "cancelled"}.get(fields["status"], "")
        name = f"execute_tool {fields['name']}"
        return Span(name=name, at_ms=0, end_ms=0, attributes=known(attributes), error_type=failed)

    def _attempt(self, fields: Mapping[str, Any], heard: Heard) -> Span:
        provider = self._providers.get(fields["agent"], OTHER)
        usage = fields.get("usage") or {}
        attributes = {
            "gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": fields["model"],
            "gen_ai.conversation.id": fields["session_id"],
            "gen_ai.usage.input_tokens": usage.get("input_tokens"),
            "gen_ai.usage.output_tokens": usage.get("output_tokens"),
            "gen_ai.response.finish_reasons": [fields["finish_reason"]] if fields.get("finish_reason") else None,
            "windtunnel.request_id": fields["request_id"], "windtunnel.retry_count": fields["retry_count"],
            **(self._sampling if heard.kind == "model" else {}), **self._streamed(heard),
        }
        failed = {"error": error_type(fields["error"]), "cancelled": "cancelled"}.get(fields["status"], "")
        return Span(
            name=f"chat {fields['model']}".rstrip(), at_ms=0, end_ms=0, attributes=known(attributes),
            error_type=failed, remote=provider != IN_PROCESS,
        )

    def _streamed(self, heard: Heard) -> dict[str, Any]:
        """The first chunk is timed from when the request was sent, which is after hooks had heard of it."""
        stream = self._streams.get(heard.began["request_id"])
        if stream is None:
            return {}
        told: dict[str, Any] = {"gen_ai.request.stream": True}
        if heard.ended:
            sent_ms = heard.ended["at_ms"] - heard.ended["duration_ms"]
            told["gen_ai.response.time_to_first_chunk"] = round(max(0.0, stream.began["at_ms"] - sent_ms) / 1000, 6)
        return told


def error_type(text: str) -> str:
    """``TimeoutError: no answer``: TimeoutError. A text without one is of another type."""
    found = _TYPE.match(text)
    return found[0] if found is not None else OTHER


def messages(role: str, text: str, finish_reason: str = "") -> str:
    """One message in the form of the conventions, as the JSON text that a span's attribute holds."""
    told: dict[str, Any] = {"role": role, "parts": [{"type": "text", "content": text}]}
    return encode([told | ({"finish_reason": finish_reason} if finish_reason else {})]).decode()


def text_parts(text: str) -> str:
    return encode([{"type": "text", "content": text}]).decode()


def _sampling(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The sampling settings that the conventions know; ``sampling`` is free, so others are left out."""
    found = {}
    for key, kind in _SAMPLING.items():
        value = settings.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[f"gen_ai.request.{key}"] = kind(value)
    return found
