"""The message list of one session, always in a state that an endpoint takes: every call asked for has its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...schemas.bounded import clean_text
from ..perturb.messages import Message
from ..session import Session
from .openai_arguments import arguments_sent_back
from .openai_wire import AskedCall, ModelReply

ID_CHARACTERS = 9  # what the strictest endpoint (Mistral) takes


class Conversation:
    """Messages as the next request carries them. Text from a model or a tool goes in cleaned, never rendered."""

    def __init__(self, system_prompt: str) -> None:
        self.messages: list[dict[str, Any]] = []
        if system_prompt:
            self.messages.append({"role": "system", "content": system_prompt})
        self._ids: set[str] = set()

    def say(self, text: str) -> None:
        """Add a user turn."""
        self.messages.append({"role": "user", "content": text})

    def recall(self, past: Iterable[Message], session: Session) -> None:
        """Begin with messages that a perturbation made up, as an endpoint would have them from a real conversation."""
        for message in past:
            if not message.calls:
                self.messages.append({"role": message.role, "content": clean_text(message.content)})
                continue
            calls = tuple(AskedCall(id="", name=call.tool, arguments=call.args) for call in message.calls)
            self.settle(ModelReply(text=message.content, calls=calls), [call.result for call in message.calls], session)

    def answer(self, reply: ModelReply) -> None:
        """Add an answer that asks for nothing."""
        self.messages.append({"role": "assistant", "content": clean_text(reply.text)})

    def break_off(self, note: str) -> None:
        """End a turn that has no answer: without one, endpoints that want strict turns refuse the next request."""
        self.messages.append({"role": "assistant", "content": note})

    def settle(self, reply: ModelReply, contents: Sequence[str], session: Session) -> None:
        """Add an answer that asks for calls together with what came of each, in the order in which they were asked."""
        message: dict[str, Any] = {"role": "assistant", "content": clean_text(reply.text) if reply.text else None}
        self.messages.append(message)
        if reply.calls[0].legacy:
            call = reply.calls[0]
            message["function_call"] = _function(call)
            self.messages.append({"role": "function", "name": _function(call)["name"], "content": contents[0]})
            return
        ids = [self._unique(call.id, session) for call in reply.calls]
        message["tool_calls"] = [
            {"id": id_, "type": "function", "function": _function(call)}
            for id_, call in zip(ids, reply.calls, strict=True)
        ]
        for id_, content in zip(ids, contents, strict=True):
            self.messages.append({"role": "tool", "tool_call_id": id_, "content": content})

    def _unique(self, given: str, session: Session) -> str:
        """The endpoint's own id, or a fresh one where it is missing or was used before in this conversation."""
        id_ = given
        while not id_ or id_ in self._ids:
            id_ = session.clock.token()[:ID_CHARACTERS]
        self._ids.add(id_)
        return id_


def _function(call: AskedCall) -> dict[str, str]:
    return {"name": call.name or "unnamed", "arguments": arguments_sent_back(call.arguments)}
