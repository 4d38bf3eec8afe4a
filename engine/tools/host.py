"""The one way to a tool: every call passes here, and is witnessed whatever becomes of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...hooks.guards import PythonGuard
from ...hooks.hook_time import as_hook_time
from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import UNSET
from ...schemas.documents import Pack
from ...schemas.nearest import did_you_mean
from ...schemas.records import Intervention
from ...schemas.scenario_documents import Scenario
from ...schemas.secrets import Secrets
from ...schemas.value_schema import SchemaFault
from ..call_events import SILENT, CallEvents
from ..clock import RunClock, iso
from ..latency import Latency
from ..witness import Witness
from ..world import World
from .arguments import BadArguments
from .call_record import CANCELLED, Arrival, call_record, post_fields, pre_fields
from .definitions import ReadyTool, ToolDefinition, toolbox
from .functions import ToolContext
from .guards import NONE_IN_PYTHON, Guards
from .results import Answer, ToolResult, witnessed
from .rules import answer_by_rules
from .wrappers import WrappedCall, Wrapper, wrapped

__all__ = ["BadArguments", "ToolDefinition", "ToolHost", "ToolResult"]

NAME_LIMIT = 200
OBSERVED = ("pre_tool_call", "post_tool_call")


class ToolHost:
    """The tools of one session. ``faults`` tells where the bench or the pack, not the agent, made a call fail.

    ``guards`` are the agent's, in order; those that the pack does not declare are in ``python_guards``. ``interrupt``
    is called where a guard raises KeyboardInterrupt. ``wrappers`` stand around a tool, the first one outermost.
    """

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
        run_id: str = "",
        session_id: str = "",
        python_guards: Mapping[str, PythonGuard] = NONE_IN_PYTHON,
        events: CallEvents = SILENT,
        wrappers: Sequence[Wrapper] = (),
        interrupt: Callable[[], object] | None = None,
    ) -> None:
        self._box = toolbox(pack)
        self._guards = Guards(guards, pack.guards, python_guards, secrets.mask)
        self._agent = {"id": agent_id, "model": model}
        self._world = world
        self._witness = witness
        self._clock = clock
        self._secrets = secrets
        self._names: Mapping[str, Any] = {"vars": scenario.vars, "case": scenario.case, **names}
        self._ids = {"run_id": run_id, "session_id": session_id}
        self._events = events
        self._wrappers = wrappers
        self._interrupt = interrupt
        self._counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that the agent may call, in the order of the pack."""
        return self._box.definitions

    async def call(self, name: str, args: object, *, provider_call_id: str = "") -> ToolResult:
        """Call a tool; ``args`` is an object, or BadArguments. Only a cancelled caller gets an exception.

        The record keeps the arguments as they came, bounded and masked; so is what comes back.
        """
        n = self._witness.next_call()
        name = clean_text(name, NAME_LIMIT)
        arrival = Arrival(
            n=n,
            id=f"call-{self._ids['run_id'] or f'{id(self):x}'}-{n}",
            turn=self._witness.turn,
            name=name,
            args=args if isinstance(args, BadArguments) else clean_value(args),
            ready=self._box.tools.get(name),
            provider_call_id=clean_text(provider_call_id, NAME_LIMIT),
        )
        return await self._events.around(
            OBSERVED,
            lambda: self._witnessed(arrival),
            before=lambda: pre_fields(arrival),
            after=lambda result, error, seconds: post_fields(arrival, result, error, seconds),
        )

    async def _witnessed(self, arrival: Arrival) -> ToolResult:
        """Carry the call out and record it. Guards take their time, and it counts for nobody (D13)."""
        took = Latency(self._clock)
        result, started_at = CANCELLED, iso(self._clock.now())
        try:
            with took:
                answer = await self._answer(arrival)
            result = witnessed(answer, self._secrets)
        finally:
            self._witness.record_call(call_record(arrival, result, started_at, took.seconds, self._secrets))
        if answer.bench:
            self.faults.append(f"tool {arrival.name}: {result.error}")
        return result

    async def _answer(self, arrival: Arrival) -> Answer:
        ready = arrival.ready
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
        refusal = await self._refusal(arrival, ready, args)
        if refusal is not None:
            return refusal
        return await self._wrapped(arrival, ready, args)

    async def _wrapped(self, arrival: Arrival, ready: ReadyTool, args: dict[str, Any]) -> Answer:
        self._counts[arrival.name] += 1
        number = self._counts[arrival.name]
        if not self._wrappers:
            return await self._carried_out(ready, args, number)
        call = WrappedCall(
            n=arrival.n, number=number, tool=ready.tool.name, effect=ready.tool.effect, args=clean_value(args)
        )
        return await wrapped(
            call, self._wrappers, lambda: self._carried_out(ready, args, number), self._witness.record_perturbation
        )

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

    async def _refusal(self, arrival: Arrival, ready: ReadyTool, args: dict[str, Any]) -> Answer | None:
        if not self._guards:
            return None
        try:
            with as_hook_time():
                refused = await self._guards.refusal(lambda: self._guard_names(arrival, ready, args))
        except KeyboardInterrupt:
            if self._interrupt is None:
                raise
            self._interrupt()
            raise asyncio.CancelledError from None
        if refused is None:
            return None
        answer = Answer(error=refused.message, refused=True)
        self._witness.record_intervention(
            Intervention(
                call=arrival.n,
                guard=refused.guard,
                message=str(witnessed(answer, self._secrets).error),
                fault=UNSET if refused.fault is None else refused.fault,
            )
        )
        return answer

    def _guard_names(self, arrival: Arrival, ready: ReadyTool, args: dict[str, Any]) -> Mapping[str, Any]:
        tool = ready.tool
        names: dict[str, Any] = {
            "tool": {"name": tool.name, "effect": tool.effect, "description": tool.description},
            "args": args,
            "agent": self._agent,
            "last_user_turn": self._witness.user,
            "tool_call_id": arrival.id,
            **self._ids,
        }
        if self._guards.needs_world:
            names["world"] = self._world.tables()
        if self._guards.needs_facts:
            facts = self._witness.facts()
            names |= {"turns": facts["turns"], "calls": facts["calls"]}
        return names
