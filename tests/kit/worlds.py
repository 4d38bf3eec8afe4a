"""Worlds, tools and packs made in a test, without a document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from windtunnel.engine.world import PreparedWorld, World, prepare_world
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.problems import Mark, Source
from windtunnel.schemas.scenario_documents import Scenario
from windtunnel.schemas.tool_documents import Guard, Rule, Table, Tool, WorldSpec

MARK = Mark(Source(Path("/packs/desk.yaml"), "desk.yaml"), 3, 5)
NOW = "2026-03-02T09:00:00+01:00"
NAMES: Mapping[str, Any] = {"vars": {"client": "Bluewing"}, "case": {}}


def table(name: str, columns: Mapping[str, str], *rows: Mapping[str, Any]) -> Table:
    return Table(name=name, columns=columns, rows=rows, mark=MARK)


def spec(*tables: Table, now: str = "") -> WorldSpec:
    return WorldSpec(now=now, tables={each.name: each for each in tables})


CLIENTS = table(
    "clients",
    {"id": "text", "name": "text", "orders": "integer", "rate": "real", "active": "flag", "tags": "json"},
    {"id": "C1", "name": "Bluewing", "orders": 3, "rate": 1.5, "active": True, "tags": ["a", {"b": None}]},
    {"id": "C2", "name": "Redwing", "orders": 0, "rate": 2.0, "active": False, "tags": []},
)
OUTBOX = table("outbox", {"recipient": "text", "body": "text"})
DESK = spec(CLIENTS, OUTBOX)


def prepared(world: WorldSpec = DESK, names: Mapping[str, Any] = NAMES) -> PreparedWorld:
    return prepare_world(world, names)


def opened(world: WorldSpec = DESK, seed: int = 1) -> World:
    return prepared(world).open(Random(seed))


def rule(**keys: Any) -> Rule:
    return Rule(mark=MARK, **keys)


def takes(*, optional: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """The schema of a tool's arguments: all required but the optional ones, extras refused."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def tool(name: str, schema: Mapping[str, Any], *rules: Rule, effect: str = "read", **keys: Any) -> Tool:
    return Tool(
        name=name, description=f"The tool {name}.", effect=effect, input_schema=schema, rules=rules, mark=MARK, **keys
    )


def guard(name: str, refuse_when: str, reason: str = "No.") -> Guard:
    return Guard(name=name, refuse_when=refuse_when, reason=reason, mark=MARK)


def pack(*tools: Tool, guards: tuple[Guard, ...] = (), world: WorldSpec = DESK, folder: Path = Path("/packs")) -> Pack:
    scenario = Scenario(id="first", turns=(), expect={}, world=world, vars=NAMES["vars"], mark=MARK)
    return Pack(
        name="desk",
        path=folder / "desk.yaml",
        shown="desk.yaml",
        agents={},
        world=world,
        tools={each.name: each for each in tools},
        guards={each.name: each for each in guards},
        scenarios={"first": scenario},
    )
