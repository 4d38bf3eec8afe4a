"""A real pack, a real world and a real tool host for runtimes to be driven with."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kit import heard
from kit.endpoint import Answer, Endpoint
from windtunnel.engine.clock import RunClock, SeededClock
from windtunnel.engine.model_calls import ModelCalls
from windtunnel.engine.runtimes.base import ResolvedAgent
from windtunnel.engine.runtimes.openai import OpenAIHandle, OpenAIRuntime
from windtunnel.engine.runtimes.scripted import ScriptedHandle, ScriptedRuntime
from windtunnel.engine.session import Session
from windtunnel.engine.tools.host import ToolHost
from windtunnel.engine.witness import Witness
from windtunnel.engine.world import prepare_world
from windtunnel.schemas.documents import Agent, Pack
from windtunnel.schemas.problems import Mark, Source
from windtunnel.schemas.scenario_documents import Check, Scenario, UserTurn
from windtunnel.schemas.secrets import Secrets
from windtunnel.schemas.tool_documents import Rule, Table, Tool, WorldSpec

T = TypeVar("T")

MARK = Mark(Source(Path("/packs/desk.yaml"), "desk.yaml"), 3, 5)
TABLE = Table(
    name="clients",
    columns={"name": "text", "email": "text"},
    rows=({"name": "Bluewing Logistics", "email": "ops@bluewing.example"},),
    mark=MARK,
)


def tool(name: str, *rules: Rule, optional: tuple[str, ...] = (), **properties: Any) -> Tool:
    """A declared tool; its arguments are required unless they are listed as optional."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }
    return Tool(name=name, description=f"The tool {name}.", effect="read", input_schema=schema, rules=rules, mark=MARK)


TOOLS = (
    tool(
        "client_lookup",
        Rule(sql=("SELECT name, email FROM clients WHERE name LIKE '%' || :query || '%'",), mark=MARK),
        query={"type": "string"},
    ),
    tool("clock", Rule(text="09:00", mark=MARK)),
    tool("refuse", Rule(error="not today, {{ args.who }}", mark=MARK), who={"type": "string"}),
    tool(
        "order",
        Rule(text="{{ args.count }} of {{ args.item }}", mark=MARK),
        optional=("note",),
        item={"type": "string", "enum": ["tea", "soup"]},
        count={"type": "integer", "minimum": 1},
        note={"type": "string"},
    ),
)


def make_pack(
    agent: Agent, *, variables: Mapping[str, Any] | None = None, case: Mapping[str, Any] | None = None
) -> Pack:
    """A pack of one scenario around an agent."""
    scenario = Scenario(
        id="first",
        turns=(UserTurn(user="Hello.", mark=MARK),),
        expect={"outcome": (Check(type="contains", args={"value": "x"}, mark=MARK),)},
        world=WorldSpec(tables={"clients": TABLE}),
        vars=variables or {},
        case=case or {},
        mark=MARK,
    )
    return Pack(
        name="desk",
        path=Path("/packs/desk.yaml"),
        shown="desk.yaml",
        vars=variables or {},
        agents={agent.id: agent},
        world=scenario.world,
        tools={each.name: each for each in TOOLS},
        scenarios={"first": scenario},
    )


@dataclass(kw_only=True)
class Bench:
    """One agent of one runtime, with as many sessions as a test opens."""

    agent: Agent
    secrets: Secrets = field(default_factory=Secrets)
    env: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Any] = field(default_factory=lambda: {"vars": {}, "case": {}})

    @property
    def pack(self) -> Pack:
        return make_pack(self.agent, variables=self.names.get("vars"), case=self.names.get("case"))

    @property
    def resolved(self) -> ResolvedAgent:
        return ResolvedAgent(agent=self.agent, settings=self.agent.settings, env=self.env)

    def session(self, *, clock: RunClock | None = None, run_number: int = 1) -> Session:
        pack, witness, clock = self.pack, Witness(), clock or SeededClock("test", run_number)
        scenario = pack.scenarios["first"]
        world = prepare_world(scenario.world, self.names).open(random.Random(1))
        host = ToolHost(
            pack=pack,
            scenario=scenario,
            agent_id=self.agent.id,
            model="",
            guards=self.agent.guards,
            world=world,
            witness=witness,
            clock=clock,
            secrets=self.secrets,
            names=self.names,
        )
        return Session(
            session_id=clock.token(),
            run_number=run_number,
            host=host,
            witness=witness,
            clock=clock,
            secrets=self.secrets,
            names=self.names,
        )

    async def scripted(self) -> ScriptedHandle:
        return await ScriptedRuntime().provision(self.resolved, self.pack)

    async def openai(self) -> OpenAIHandle:
        return await OpenAIRuntime().provision(self.resolved, self.pack)


def scripted_bench(*rules: Mapping[str, Any], debrief: str | None = None, **names: Any) -> Bench:
    """A bench of a scripted agent."""
    settings: dict[str, Any] = {"script": list(rules)}
    if debrief is not None:
        settings["debrief"] = debrief
    agent = Agent(id="careful", runtime="scripted", settings=settings, mark=MARK)
    return Bench(agent=agent, names={"vars": {}, "case": {}, **names})


def openai_bench(base_url: str, **settings: Any) -> Bench:
    """A bench of an openai agent."""
    found = {"base_url": base_url, "model": "small", **settings}
    return Bench(agent=Agent(id="careful", runtime="openai", settings=found, mark=MARK))


@dataclass(kw_only=True)
class Driven:
    """What a test of the openai runtime stands on: the endpoint, the handle and one session."""

    endpoint: Endpoint
    handle: OpenAIHandle
    session: Session


def drive(
    answers: list[Answer],
    work: Callable[[Driven], Coroutine[Any, Any, T]],
    *,
    heard: heard.Bench | None = None,
    **settings: Any,
) -> T:
    """Serve the answers, and let the work drive one session of an agent at that endpoint, which hooks may hear."""
    with Endpoint(answers) as endpoint:
        return asyncio.run(_drive(endpoint, openai_bench(endpoint.base_url, **settings), work, heard))


async def _drive(
    endpoint: Endpoint, bench: Bench, work: Callable[[Driven], Coroutine[Any, Any, T]], heard: heard.Bench | None
) -> T:
    handle = await bench.openai()
    if heard is not None:
        bench.secrets = heard.secrets
    session = bench.session()
    if heard is not None:
        session.events = heard.events
        session.models = ModelCalls(session.events, witness=session.witness)
    session.witness.begin_turn("Hello.")
    try:
        return await work(Driven(endpoint=endpoint, handle=handle, session=session))
    finally:
        await handle.teardown()
