"""Hear the calls of each run, and hand its tree of spans over when it is over. Nothing here waits for a collector."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

from ...schemas.documents import Pack
from ..context import HookContext
from ..run_log import RunLogs
from .span import Span
from .tree import RunFacts, run_span

CLOSE_S = 10.0


class Sender(Protocol):
    """What sends spans away."""

    def send(self, root: Span, began_ns: int) -> None:
        """Take a run's tree; ``began_ns`` is when the run began, in nanoseconds since 1970."""
        ...

    def close(self, timeout_s: float) -> list[str]:
        """Send what is left, for so long, and say what went wrong."""
        ...


class OtelHook:
    """The built-in hook ``otel``: one for all packs of the sweep."""

    name = "otel"

    def __init__(self, sender: Sender, *, content: bool = False) -> None:
        self._sender = sender
        self._content = content
        self._logs = RunLogs()
        self._providers: dict[str, Mapping[str, str]] = {}

    def observe(self, pack: Pack, *, content: bool) -> None:
        """Learn of a pack; its texts are told only where that was asked for."""
        self._providers[pack.name] = {agent.id: agent.runtime for agent in pack.agents.values()}
        self._content = self._content or content

    def on_run_end(self, ctx: HookContext) -> None:
        if not (ctx.run_id and ctx.scenario and ctx.agent):
            return
        elapsed_s = ctx.elapsed_s or 0.0
        began_ns = time.time_ns() - round(elapsed_s * 1e9)
        facts = RunFacts(
            run_id=ctx.run_id, session_id=ctx.session_id or "", pack=ctx.pack or "", scenario_id=ctx.scenario.id,
            agent=ctx.agent, elapsed_ms=elapsed_s * 1000, providers=self._providers.get(ctx.pack or "", {}),
            trace=ctx.trace, score=ctx.score, content=self._content,
        )
        self._sender.send(run_span(facts, self._logs.take(ctx.run_id)), began_ns)

    def on_pack_end(self, ctx: HookContext) -> None:
        cut_off = len(self._logs.forget())
        if cut_off:
            ctx.warn(f"{cut_off} runs were cut off; their spans were not sent")
        for trouble in self._sender.close(CLOSE_S):
            ctx.warn(trouble)

    async def pre_tool_call(self, **event: Any) -> None:
        self._logs.begin("pre_tool_call", "tool", event["tool_call_id"], event)

    async def post_tool_call(self, **event: Any) -> None:
        self._logs.end("post_tool_call", "tool", event["tool_call_id"], event)

    async def pre_api_request(self, **event: Any) -> None:
        self._logs.begin("pre_api_request", "model", event["request_id"], event)

    async def post_api_request(self, **event: Any) -> None:
        self._logs.end("post_api_request", "model", event["request_id"], event)

    async def pre_aux_request(self, **event: Any) -> None:
        self._logs.begin("pre_aux_request", "aux", event["request_id"], event)

    async def post_aux_request(self, **event: Any) -> None:
        self._logs.end("post_aux_request", "aux", event["request_id"], event)

    def on_stream_start(self, **event: Any) -> None:
        self._logs.begin("on_stream_start", "stream", event["request_id"], event)

    def on_stream_end(self, **event: Any) -> None:
        self._logs.end("on_stream_end", "stream", event["request_id"], event)
