"""What an agent is shown of its tools, and what the bench makes of each once, however many runs call it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...schemas.documents import Pack
from ...schemas.tool_documents import Rule, Tool
from .arguments import Arguments
from .functions import ToolFunction

MOST_PACKS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """A tool as the agent is shown it; ``input_schema`` is the JSON Schema of its arguments."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyTool:
    """A tool that can be called. ``needs_world``: a text of its rules names it."""

    tool: Tool
    arguments: Arguments
    function: ToolFunction | None
    needs_world: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """All tools of a pack. Those that are the agent's own are known, and not offered to it."""

    tools: Mapping[str, ReadyTool]
    definitions: tuple[ToolDefinition, ...]


_made: dict[int, tuple[Pack, Toolbox]] = {}


def toolbox(pack: Pack) -> Toolbox:
    """The tools of a pack, made ready once: every run of a sweep asks for the same packs."""
    kept = _made.get(id(pack))
    if kept is not None and kept[0] is pack:
        return kept[1]
    made = Toolbox(
        tools={name: _ready(tool, pack.path.parent) for name, tool in pack.tools.items()},
        definitions=tuple(
            ToolDefinition(name=tool.name, description=tool.description, input_schema=tool.input_schema)
            for tool in pack.tools.values()
            if not tool.reported
        ),
    )
    if len(_made) >= MOST_PACKS:
        _made.pop(next(iter(_made)))
    _made[id(pack)] = pack, made
    return made


def _ready(tool: Tool, folder: Path) -> ReadyTool:
    return ReadyTool(
        tool=tool,
        arguments=Arguments(tool.input_schema, tool.defaults),
        function=ToolFunction(tool.function, folder, _names_of(tool)) if tool.function is not None else None,
        needs_world=any("world" in text for rule in tool.rules for text in _texts(rule)),
    )


def _names_of(tool: Tool) -> tuple[str, ...]:
    return tuple(tool.input_schema.get("properties", {}))


def _texts(rule: Rule) -> list[str]:
    return [text for text in (rule.when, rule.text, rule.error) if text is not None]
