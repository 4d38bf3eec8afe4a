"""Keep every event of a run with its times and sizes beside the trace, so that the run can be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schemas.bounded import clean_text
from ..schemas.codec import UNSET, UnsetType, encode, to_plain
from ..schemas.observations import Timeline, TimelineEntry
from .call_log import CallLog
from .context import HookContext
from .run_log import Heard, RunLog

MOST_NAME_CHARS = 80  # with these, a timeline of MOST_ENTRIES is well under 1 MiB
_TEXTS = ("status", "agent", "effect", "aux_task", "finish_reason")
_NUMBERS = ("turn", "retry_count", "messages", "tools", "chunks")


class TimelineHook(CallLog):
    """The built-in hook ``timeline``."""

    name = "timeline"

    def on_run_start(self, ctx: HookContext) -> None:
        self._mark(ctx)

    def on_run_scored(self, ctx: HookContext) -> None:
        self._mark(ctx)

    def on_run_end(self, ctx: HookContext) -> None:
        self._mark(ctx)
        if ctx.run_id and ctx.scenario and ctx.agent:
            log = self._logs.take(ctx.run_id)
            seconds = ctx.trace.seconds if ctx.trace else ctx.elapsed_s or 0.0
            ctx.emit_artifact(to_plain(Timeline(
                run_id=ctx.run_id, scenario_id=ctx.scenario.id, agent=ctx.agent.id, seconds=seconds,
                entries=entries_of(log), more=log.more, events=dict(sorted(log.events.items())),
            )))

    def on_pack_end(self, ctx: HookContext) -> None:
        self._logs.forget()

    def _mark(self, ctx: HookContext) -> None:
        if ctx.run_id:
            self._logs.mark(ctx.point, ctx.run_id, {"at_ms": (ctx.elapsed_s or 0.0) * 1000})


def entries_of(log: RunLog) -> list[TimelineEntry]:
    """The entries in the order in which they began."""
    return sorted((_entry(heard) for heard in log.entries), key=lambda entry: entry.at_ms)


def _entry(heard: Heard) -> TimelineEntry:
    fields = {**heard.began, **heard.ended}
    known: dict[str, Any] = {key: clean_text(fields[key], MOST_NAME_CHARS) for key in _TEXTS if fields.get(key)}
    known |= {key: fields[key] for key in _NUMBERS if key in fields}
    known |= {key: fields["usage"][key] for key in ("input_tokens", "output_tokens") if fields.get("usage")}
    at_ms = heard.began["at_ms"]
    name = fields.get("name") or fields.get("model") or ""
    return TimelineEntry(
        kind=heard.kind,  # type: ignore[arg-type]  # it is one of them
        name=clean_text(name, MOST_NAME_CHARS), at_ms=round(at_ms, 3), duration_ms=_duration(heard, at_ms),
        args_bytes=len(encode(fields["args"])) if "args" in fields else UNSET,
        result_chars=_size(fields, "result"), error_chars=_size(fields, "error"), **known,
    )


def _duration(heard: Heard, at_ms: float) -> float | UnsetType:
    if not heard.ended:
        return UNSET
    took: float = heard.ended.get("duration_ms", heard.ended["at_ms"] - at_ms)
    return round(max(0.0, took), 3)


def _size(fields: Mapping[str, Any], key: str) -> int | UnsetType:
    return len(fields[key]) if fields.get(key) else UNSET
