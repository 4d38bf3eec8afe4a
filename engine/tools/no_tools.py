"""The tool host of a helper agent: it has no tools, and a call of one is an error that the helper reads."""

from __future__ import annotations

from ...schemas.bounded import clean_text
from .definitions import ToolDefinition
from .results import ToolResult


class NoTools:
    """What a session of a helper has in the place of a ToolHost."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def definitions(self) -> tuple[ToolDefinition, ...]:
        return ()

    async def call(self, name: str, args: object, *, provider_call_id: str = "") -> ToolResult:
        return ToolResult(status="error", error=f"there is no tool {clean_text(name, 200)!r}; a helper has none")
