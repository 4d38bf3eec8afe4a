"""A real agent loop over any endpoint that speaks OpenAI's Chat Completions: ask, carry out the calls, ask again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import CodecFault, encode
from ...schemas.documents import Agent, Pack
from ...schemas.errors import WindTunnelError
from ...schemas.problems import Problems
from ...schemas.records import Usage
from ...schemas.templates import render_setting
from ..session import Session
from .base import Purpose, Reply, ResolvedAgent, RuntimeFault, nothing_to_reset
from .openai_address import read_address
from .openai_arguments import read_arguments
from .openai_check import check_settings
from .openai_conversation import Conversation
from .openai_endpoint import Endpoint, Question
from .openai_models import forced, reach
from .openai_wire import AskedCall, ModelReply
from .reach import Reached

MAX_STEPS = 8
MOST_CHARACTERS = 1 << 20  # of one user turn
CANCELLED = "cancelled: the turn ended before this call did"
NO_REPLY = "[no reply: the turn ended before it came]"
NO_STEPS = "[no reply: all steps of this turn were used]"


class OpenAIRuntime:
    """Drives a model over HTTP; the tools are carried out here, so every call is witnessed."""

    name = "openai"
    independent_sessions = True
    late = frozenset({"system_prompt"})
    delivers = frozenset({"tool-fault", "history", "sampling"})

    def check(self, agent: Agent, pack: Pack, problems: Problems) -> None:
        check_settings(agent, pack, problems)

    async def reach(self, agent: ResolvedAgent) -> Reached:
        """What the endpoint tells before anybody speaks to the agent. Raises RuntimeFault."""
        return await reach(agent)

    def forced(self, settings: Mapping[str, Any], tool: str) -> Mapping[str, Any]:
        """The settings with which the agent has to call the tool."""
        return forced(settings, tool)

    async def provision(self, agent: ResolvedAgent, pack: Pack) -> OpenAIHandle:
        return OpenAIHandle(agent)


class OpenAIHandle:
    """One agent at one endpoint. The conversation of a session is kept in ``session.state``."""

    def __init__(self, agent: ResolvedAgent) -> None:
        self._agent = agent
        streams = agent.settings.get("stream") is True
        self._endpoint = Endpoint(read_address(agent.settings, agent.env), streams=streams)
        self._sampling = dict(agent.settings.get("sampling") or {})
        self._max_steps = int(agent.settings.get("max_steps", MAX_STEPS))
        self.model = str(agent.settings.get("model", ""))
        self._prompted: tuple[Mapping[str, Any] | None, str] = (None, "")

    reset_state = nothing_to_reset

    async def teardown(self) -> None:
        await self._endpoint.close()

    def describe_surface(self, session: Session) -> Mapping[str, Any]:
        shown = {
            "system_prompt": self._system_prompt(session),
            "sampling": clean_value(session.secrets.mask_value(self._sampling)),
            "max_steps": self._max_steps,
        }
        return {**shown, "stream": True} if self._endpoint.streams else shown

    async def send(self, session: Session, text: str, *, purpose: Purpose = "turn") -> Reply:
        """Ask until the model asks for no more calls, or ``max_steps`` requests were made."""
        conversation = self._conversation(session)
        conversation.say(clean_text(session.secrets.mask(text), MOST_CHARACTERS))
        try:
            return await self._loop(conversation, session, purpose)
        except BaseException:
            conversation.break_off(NO_REPLY)
            raise

    async def _loop(self, conversation: Conversation, session: Session, purpose: Purpose) -> Reply:
        usages: list[Usage | None] = []
        last = ""
        for _ in range(self._max_steps):
            call = session.models.begin(self.model, purpose=purpose)
            reply = await self._endpoint.ask(self._question(conversation, session), session, call)
            session.history.delivered()
            usages.append(reply.usage)
            last = reply.text or last
            if not reply.calls:
                conversation.answer(reply)
                return Reply(text=reply.text, usage=_total(usages), finish_reason=reply.finish_reason)
            await self._carry_out(reply, conversation, session)
        conversation.break_off(NO_STEPS)
        return Reply(text=last, usage=_total(usages), finish_reason="max-steps")

    async def _carry_out(self, reply: ModelReply, conversation: Conversation, session: Session) -> None:
        """Make all calls of one answer at once; each has its place in the conversation, even when cancelled."""
        contents = [CANCELLED] * len(reply.calls)
        schemas = {tool.name: tool.input_schema for tool in session.host.definitions()}

        async def make(index: int, call: AskedCall) -> None:
            args = read_arguments(call.arguments, schemas.get(call.name, {}))
            result = await session.host.call(call.name, args, provider_call_id=call.id)
            contents[index] = result.content

        try:
            async with asyncio.TaskGroup() as group:
                for index, call in enumerate(reply.calls):
                    group.create_task(make(index, call))
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None
        finally:
            conversation.settle(reply, contents, session)

    def _conversation(self, session: Session) -> Conversation:
        found = session.state.get("conversation")
        if not isinstance(found, Conversation):
            found = session.state["conversation"] = Conversation(self._system_prompt(session))
            found.recall(session.history.place(), session)
        return found

    def _question(self, conversation: Conversation, session: Session) -> Question:
        tools = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
            }
            for tool in session.host.definitions()
        ]
        body: dict[str, Any] = {"model": self.model, "messages": conversation.messages}
        if tools:  # an empty list is refused by several endpoints
            body["tools"] = tools
        if self._endpoint.streams:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        try:
            payload = encode({**body, **self._sampling})
        except CodecFault as fault:
            raise RuntimeFault(f"agents.{self._agent.id}: the request {fault}; look at model and sampling") from None
        return Question(payload=payload, messages=len(conversation.messages), tools=len(tools))

    def _system_prompt(self, session: Session) -> str:
        """The prompt as this session is given it; a secret in it is masked before anybody sees it."""
        prompt = self._agent.settings.get("system_prompt")
        if not prompt:
            return ""
        given, rendered = self._prompted
        if given is session.names:
            return rendered
        names = {"vars": {}, "case": {}, **session.names}
        try:
            rendered = render_setting(prompt, names, self._agent.env, session.secrets)
        except WindTunnelError as fault:
            raise RuntimeFault(f"agents.{self._agent.id}.system_prompt: {fault}") from fault
        self._prompted = session.names, session.secrets.mask(str(rendered))
        return self._prompted[1]


def _total(usages: list[Usage | None]) -> Usage | None:
    """The sum, or None as soon as one request did not tell."""
    told = [usage for usage in usages if usage is not None]
    if len(told) < len(usages):
        return None
    return Usage(
        input_tokens=sum(usage.input_tokens for usage in told), output_tokens=sum(usage.output_tokens for usage in told)
    )
