"""Hear the calls of each run, and hand its tree of spans over when it is over. Nothing here waits for a collector."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol

from ...schemas.documents import Pack
from ..call_log import CallLog
from ..context import HookContext
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


class OtelHook(CallLog):
    """The built-in hook ``otel``: one for all packs of the sweep."""

    name = "otel"

    def __init__(self, sender: Sender, *, content: bool = False) -> None:
        super().__init__()
        self._sender = sender
        self._content = content
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
