"""What a call gave, as it is witnessed: plain, bounded, without secrets. The agent reads the very same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...schemas.bounded import VALUE_LIMIT_BYTES, clean_text, clean_value
from ...schemas.codec import UNSET, CodecFault, UnsetType, encode
from ...schemas.records import CallStatus
from ...schemas.secrets import Secrets

MOST_SMALL_ROWS = 100
_NAMES = frozenset((str,))
_SCALARS = frozenset((str, int, float, bool, type(None)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool gave, as it came: a ``value`` of any kind, or an ``error``.

    ``bench``: the bench or the pack is to blame for the error, not the call. ``shown`` is the text that is read in the
    place of the value's own.
    """

    value: Any = ""
    shown: str | None = None
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
    if answer.shown is not None:
        own = witnessed(replace(answer, shown=None), secrets)
        return replace(own, text=_masked_text(answer.shown, secrets))
    value = answer.value
    if isinstance(value, str | bytes | bytearray):
        return ToolResult(status="ok", text=_masked_text(value, secrets))
    data = _small_rows(value)
    if data is None or secrets:
        value = secrets.mask_value(clean_value(value))
        data = encode(value)
    return ToolResult(status="ok", text=clean_text(data.decode()), rows=value if isinstance(value, list) else UNSET)


def _small_rows(value: Any) -> bytes | None:
    """A few rows of scalars as JSON, or None. SQL mostly gives such, and then there is nothing to bound."""
    if type(value) is not list or len(value) > MOST_SMALL_ROWS:
        return None
    for row in value:
        if type(row) is not dict or not (
            _NAMES.issuperset(map(type, row)) and _SCALARS.issuperset(map(type, row.values()))
        ):
            return None
    try:
        data = encode(value)
    except CodecFault:
        return None
    return data if len(data) <= VALUE_LIMIT_BYTES else None


def _masked_text(value: str | bytes | bytearray, secrets: Secrets) -> str:
    """Mask before the cut, so that no secret ends in the middle of it."""
    if type(value) is str and secrets:
        value = secrets.mask(value)
    return secrets.mask(clean_text(value))
