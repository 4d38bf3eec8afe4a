"""What a call gave, as it is witnessed: plain, bounded, without secrets. The agent reads the very same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import TEXT_LIMIT, clean_text, clean_value
from ...schemas.codec import UNSET, UnsetType, encode
from ...schemas.records import CallStatus
from ...schemas.secrets import Secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool gave, as it came: a ``value`` of any kind, or an ``error``.

    ``bench``: the bench or the pack is to blame for the error, not the call.
    """

    value: Any = ""
    error: str | None = None
    refused: bool = False
    bench: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What the agent gets. ``rows`` is there where the tool gave a list; ``text`` is then the same as JSON."""

    status: CallStatus
    text: str | UnsetType = UNSET
    rows: list[Any] | UnsetType = UNSET
    error: str | UnsetType = UNSET

    @property
    def content(self) -> str:
        """The one text that a model reads."""
        if isinstance(self.error, str):
            return f"Error: {self.error}"
        return self.text if isinstance(self.text, str) else ""


def witnessed(answer: Answer, secrets: Secrets) -> ToolResult:
    """Bound and mask an answer, whatever it is; never raises."""
    if answer.error is not None:
        error = clean_text(secrets.mask(clean_text(answer.error)))
        return ToolResult(status="refused" if answer.refused else "error", error=error)
    if answer.reported:
        return ToolResult(status="ok")
    value = answer.value
    if isinstance(value, str | bytes | bytearray):
        return ToolResult(status="ok", text=_masked_text(value, secrets))
    plain = secrets.mask_value(clean_value(value))
    text = clean_text(encode(plain).decode(), TEXT_LIMIT)
    return ToolResult(status="ok", text=text, rows=plain if isinstance(plain, list) else UNSET)


def _masked_text(value: str | bytes | bytearray, secrets: Secrets) -> str:
    """Mask before the cut, so that no secret ends in the middle of it."""
    if type(value) is str and secrets:
        value = secrets.mask(value)
    return secrets.mask(clean_text(value))
