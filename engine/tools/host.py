"""The one way to a tool: every call passes here, and is witnessed whatever becomes of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import UNSET
from ...schemas.documents import Pack, Scenario
from ...schemas.nearest import did_you_mean
from ...schemas.records import Call, Intervention
from ...schemas.secrets import Secrets
from ...schemas.value_schema import SchemaFault
from ..clock import RunClock, iso
from ..witness import Witness
from ..world import World
from .arguments import BadArguments
from .definitions import ReadyTool, ToolDefinition, toolbox
from .functions import ToolContext
from .guards import Guards
from .results import Answer, ToolResult, witnessed
from .rules import answer_by_rules

__all__ = ["BadArguments", "ToolDefinition", "ToolHost", "ToolResult"]

NAME_LIMIT = 200


@dataclass(slots=True, kw_only=True)
class _Arrival:
    """A call as it arrived."""

    n: int
    turn: int
    name: str
    args: Any
    started_at: str
    begun: float
    provider_call_id: str


class ToolHost:
    """The tools of one session. ``faults`` tells where the bench or the pack, not the agent, made a call fail."""

    def __init__(
        self,
        *,
        pack: Pack,
        scenario: Scenario,
        agent_id: str,
        model: str,
        guards: Sequence[str],
        world: World,
        witness: Witness,
        clock: RunClock,
        secrets: Secrets,
        names: Mapping[str, Any],
    ) -> None:
        self._box = toolbox(pack)
        self._guards = Guards(guards, pack.guards)
        self._agent = {"id": agent_id, "model": model}
        self._world = world
        self._witness = witness
        self._clock = clock
        self._secrets = secrets
        self._names: Mapping[str, Any] = {"vars": scenario.vars, "case": scenario.case, **names}
        self._counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that the agent may call, in the order of the pack."""
        return self._box.definitions

    async def call(self, name: str, args: object, *, provider_call_id: str = "") -> ToolResult:
        """Call a tool; ``args`` is an object, or BadArguments. Only a cancelled caller gets an exception.

        The record keeps the arguments as they came, bounded and masked; so is what comes back.
        """
        if not isinstance(args, BadArguments):
            args = clean_value(args)
        arrival = _Arrival(
            n=self._witness.next_call(),
            turn=self._witness.turn,
            name=clean_text(name, NAME_LIMIT),
            args=args,
            started_at=iso(self._clock.now()),
            begun=self._clock.elapsed(),
            provider_call_id=clean_text(provider_call_id, NAME_LIMIT),
        )
        ready = self._box.tools.get(arrival.name)
        try:
            answer = await self._answer(arrival, ready)
        except asyncio.CancelledError:
            self._record(arrival, ready, ToolResult(status="cancelled"))
            raise
        result = witnessed(answer, self._secrets)
        if answer.bench:
            self.faults.append(f"tool {arrival.name}: {result.error}")
        self._record(arrival, ready, result)
        return result

    async def _answer(self, arrival: _Arrival, ready: ReadyTool | None) -> Answer:
        if ready is None:
            hint = did_you_mean(arrival.name, self._box.tools, what="tools")
            return Answer(error=f"there is no tool {arrival.name!r}; {hint}")
        if ready.tool.reported:
            return Answer(reported=True)
        try:
            fault = ready.arguments.fault(arrival.args)
        except SchemaFault as broken:
            return Answer(error=f"the tool is broken: {broken}", bench=True)
        if fault is not None:
            return Answer(error=fault)
        args = ready.arguments.filled(arrival.args)
        refusal = self._refusal(arrival, ready, args)
        if refusal is not None:
            return refusal
        self._counts[arrival.name] += 1
        return await self._carried_out(ready, args, self._counts[arrival.name])

    async def _carried_out(self, ready: ReadyTool, args: dict[str, Any], number: int) -> Answer:
        if ready.function is None:
            return answer_by_rules(ready, {**self._names, "args": args, "call": number}, self._world)
        context = ToolContext(
            tool=ready.tool.name,
            call=number,
            vars=self._names["vars"],
            case=self._names["case"],
            now=self._names.get("now", ""),
            random=self._clock.random,
        )
        return await ready.function.answer(args, self._world, context)

    def _refusal(self, arrival: _Arrival, ready: ReadyTool, args: dict[str, Any]) -> Answer | None:
        if not self._guards:
            return None
        refused = self._guards.refusal(lambda: self._guard_names(ready, args))
        if refused is None:
            return None
        answer = Answer(error=refused.message, refused=True)
        self._witness.record_intervention(
            Intervention(
                call=arrival.n,
                guard=refused.guard,
                message=str(witnessed(answer, self._secrets).error),
                fault=UNSET if refused.fault is None else self._secrets.mask(refused.fault),
            )
        )
        return answer

    def _guard_names(self, ready: ReadyTool, args: dict[str, Any]) -> Mapping[str, Any]:
        tool = ready.tool
        names: dict[str, Any] = {
            "tool": {"name": tool.name, "effect": tool.effect, "description": tool.description},
            "args": args,
            "agent": self._agent,
            "last_user_turn": self._witness.user,
        }
        if self._guards.needs_world:
            names["world"] = self._world.tables()
        if self._guards.needs_facts:
            facts = self._witness.facts()
            names |= {"turns": facts["turns"], "calls": facts["calls"]}
        return names

    def _record(self, arrival: _Arrival, ready: ReadyTool | None, result: ToolResult) -> None:
        args, mask = arrival.args, self._secrets
        self._witness.record_call(
            Call(
                n=arrival.n,
                turn=arrival.turn,
                name=mask.mask(arrival.name),
                effect=UNSET if ready is None else ready.tool.effect,
                args=mask.mask(clean_text(args.raw)) if isinstance(args, BadArguments) else mask.mask_value(args),
                status=result.status,
                text=result.text,
                rows=result.rows,
                error=result.error,
                started_at=arrival.started_at,
                seconds=round(self._clock.elapsed() - arrival.begun, 6),
                provider_call_id=mask.mask(arrival.provider_call_id) or UNSET,
                reported=True if ready is not None and ready.tool.reported else UNSET,
            )
        )
