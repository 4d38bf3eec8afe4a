"""Sum up what the agents of a sweep used, and their judges and simulated users, in one small artifact."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..schemas.bounded import clean_text
from ..schemas.codec import to_plain
from ..schemas.observations import ModelUsage, ToolUsage, UsageReport
from .context import HookContext

MOST_ROWS = 500  # of models, and of tools: what it keeps does not grow with the runs
MOST_NAME_CHARS = 100
Sums = Counter[str]
Key = tuple[str, ...]


class UsageHook:
    """The built-in hook ``usage``: one for all packs of the sweep. It hears the ends of calls alone."""

    name = "usage"

    def __init__(self) -> None:
        self._models: dict[Key, Sums] = {}
        self._tools: dict[Key, Sums] = {}
        self._more = 0
        self._lock = threading.Lock()

    async def post_api_request(self, **event: Any) -> None:
        self._add(self._models, (event["pack"], event["agent"], ""), _attempt(event))

    async def post_aux_request(self, **event: Any) -> None:
        self._add(self._models, (event["pack"], event["agent"], event["aux_task"]), _attempt(event))

    async def post_tool_call(self, **event: Any) -> None:
        self._add(self._tools, (event["pack"], event["agent"]), _tool_call(event))

    def on_pack_end(self, ctx: HookContext) -> None:
        with self._lock:
            models, tools, more = dict(self._models), dict(self._tools), self._more
        ctx.emit_artifact(to_plain(UsageReport(
            models=[ModelUsage(**_row(ModelUsage, key, models[key])) for key in sorted(models)],
            tools=[ToolUsage(**_row(ToolUsage, key, tools[key])) for key in sorted(tools)],
            more=more,
        )))

    def _add(self, table: dict[Key, Sums], key: Key, seen: Mapping[str, int]) -> None:
        key = tuple(clean_text(part, MOST_NAME_CHARS) for part in key)
        with self._lock:
            if key not in table and len(table) >= MOST_ROWS:
                self._more += 1
                return
            table.setdefault(key, Counter()).update(seen)


def _attempt(event: Mapping[str, Any]) -> dict[str, int]:
    first = event["retry_count"] == 0
    usage = event["usage"]
    return {
        "calls": int(first), "attempts": 1, "retries": int(not first), "errors": int(event["status"] == "error"),
        "cancelled": int(event["status"] == "cancelled"), "input_tokens": usage.get("input_tokens", 0),
        "output_tokens": usage.get("output_tokens", 0), "attempts_without_usage": int(not usage),
        "microseconds": round(event["duration_ms"] * 1000),
    }


def _tool_call(event: Mapping[str, Any]) -> dict[str, int]:
    status = event["status"]
    return {
        "calls": 1, "errors": int(status == "error"), "blocked": int(status == "blocked"),
        "cancelled": int(status == "cancelled"), "microseconds": round(event["duration_ms"] * 1000),
    }


def _row(record: type[ModelUsage] | type[ToolUsage], key: Key, sums: Sums) -> dict[str, Any]:
    """The members of a record: its key first, then its sums. Whole microseconds add up the same in any order."""
    names = [member.name for member in fields(record)]
    row: dict[str, Any] = dict(zip(names, key, strict=False))
    return row | {name: sums[name] for name in names[len(key):-1]} | {"seconds": sums["microseconds"] / 1_000_000}
