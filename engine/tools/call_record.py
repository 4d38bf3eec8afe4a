"""A tool call as it arrived, and as it is told: to the witness, and to those who observe calls."""

from __future__ import annotations

from asyncio import CancelledError
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import clean_text, describe_error
from ...schemas.codec import UNSET
from ...schemas.records import Call
from ...schemas.secrets import Secrets
from .arguments import BadArguments
from .definitions import ReadyTool
from .results import ToolResult

CANCELLED = ToolResult(status="cancelled")
_POST_STATUS = {"ok": "ok", "error": "error", "refused": "blocked", "cancelled": "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A call as it arrived; ``id`` tells it from every other call in the process."""

    n: int
    id: str
    turn: int
    name: str
    args: Any
    ready: ReadyTool | None
    provider_call_id: str


def call_record(arrival: Arrival, result: ToolResult, started_at: str, seconds: float, secrets: Secrets) -> Call:
    """The call as evidence: plain, bounded, without secrets."""
    tool = None if arrival.ready is None else arrival.ready.tool
    args = shown_args(arrival)
    return Call(
        n=arrival.n,
        turn=arrival.turn,
        name=secrets.mask(arrival.name),
        effect=UNSET if tool is None else tool.effect,
        args=secrets.mask(args) if isinstance(args, str) else secrets.mask_value(args),
        status=result.status,
        text=result.text,
        rows=result.rows,
        error=result.error,
        started_at=started_at,
        seconds=seconds,
        provider_call_id=secrets.mask(arrival.provider_call_id) or UNSET,
        reported=True if tool is not None and tool.reported else UNSET,
    )


def pre_fields(arrival: Arrival) -> dict[str, Any]:
    """What ``pre_tool_call`` tells of the call; whoever sends it bounds and masks it."""
    return {
        "tool_call_id": arrival.id,
        "provider_call_id": arrival.provider_call_id,
        "turn": arrival.turn,
        "name": arrival.name,
        "effect": "" if arrival.ready is None else arrival.ready.tool.effect,
        "args": shown_args(arrival),
    }


def post_fields(
    arrival: Arrival, result: ToolResult | None, error: BaseException | None, seconds: float
) -> dict[str, Any]:
    """What ``post_tool_call`` tells: the same, and what came of it. Without a result, the call was cut off."""
    ended = CANCELLED if result is None else result
    broken = "" if error is None or isinstance(error, CancelledError) else describe_error(error)
    return {
        **pre_fields(arrival),
        "status": "error" if broken else _POST_STATUS[ended.status],
        "result": ended.text if isinstance(ended.text, str) else "",
        "error": ended.error if isinstance(ended.error, str) else broken,
        "duration_ms": round(seconds * 1000, 3),
    }


def shown_args(arrival: Arrival) -> Any:
    """An object, or the text as it came where it could not be read as one."""
    return clean_text(arrival.args.raw) if isinstance(arrival.args, BadArguments) else arrival.args
