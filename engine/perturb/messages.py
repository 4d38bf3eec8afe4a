"""A message that stands before the first turn, as no endpoint has its own form of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorCall:
    """A call that was never made: ``args`` an object, and the ``result`` as the agent read it."""

    tool: str
    args: Any
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """``calls`` are the assistant's; the results follow it in the conversation, in their order."""

    role: str
    content: str = ""
    calls: tuple[PriorCall, ...] = ()


def plain_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """``[{role, content, calls?}]``, results as messages of role ``tool``: what scripts and readers of a trace see."""
    plain: list[dict[str, Any]] = []
    for message in messages:
        calls = [{"tool": call.tool, "args": call.args} for call in message.calls]
        plain.append({"role": message.role, "content": message.content, **({"calls": calls} if calls else {})})
        plain.extend({"role": "tool", "content": call.result} for call in message.calls)
    return plain
