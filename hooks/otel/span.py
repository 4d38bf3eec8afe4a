"""A span as plain data, so that the tree of a run can be made and looked at without the SDK."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Attributes = Mapping[str, str | bool | int | float | Sequence[str]]


@dataclass(slots=True, kw_only=True)
class Span:
    """Times are in milliseconds since the run began. ``error_type`` "" is success.

    ``remote``: a call to another process. ``events`` are name and attributes; they happen when the span ends.
    """

    name: str
    at_ms: float
    end_ms: float
    attributes: dict[str, Any] = field(default_factory=dict)
    error_type: str = ""
    error_text: str = ""
    remote: bool = False
    events: list[tuple[str, Attributes]] = field(default_factory=list)
    children: list[Span] = field(default_factory=list)

    def hold(self, child: Span) -> None:
        """Take a child; a parent is never shorter than what it holds."""
        self.children.append(child)
        self.at_ms = min(self.at_ms, child.at_ms)
        self.end_ms = max(self.end_ms, child.end_ms)


def known(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that are known: absent ones are absent, never empty."""
    return {key: value for key, value in attributes.items() if value is not None and value != "" and value != []}
