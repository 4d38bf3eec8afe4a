"""Put the pieces of a streamed answer together, so that it reads as one that came whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .openai_faults import EndpointFault
from .openai_wire import ModelReply, body_fault, kind_of, read_text, reply_of

_NO_CHUNK = "look at the endpoint's log: a stream of chat.completion.chunk objects is due"


@dataclass(slots=True)
class _Call:
    """A tool call as far as it has come."""

    id: str = ""
    name: str = ""
    fragments: list[str] = field(default_factory=list)
    whole: Any = None  # arguments that came as an object, at once

    def add(self, entry: dict[str, Any]) -> None:
        function = entry.get("function")
        if not isinstance(function, dict):
            function = entry  # some endpoints write name and arguments one level up
        if isinstance(entry.get("id"), str):
            self.id = self.id or entry["id"]
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str) and name != self.name:  # some endpoints repeat the name with every piece
            self.name += name
        if isinstance(arguments, str):
            self.fragments.append(arguments)
        elif arguments is not None:
            self.whole = arguments

    def function(self) -> dict[str, Any]:
        return {"name": self.name, "arguments": "".join(self.fragments) if self.whole is None else self.whole}


class Pieces:
    """One answer in the making. ``finished``: the model has said that it is at its end."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._legacy: _Call | None = None
        self._usage: Any = None
        self._finish = ""
        self._chosen = False

    @property
    def finished(self) -> bool:
        return bool(self._finish)

    def add(self, chunk: Any) -> str:
        """Take one chunk and return the text that it adds. Raises EndpointFault."""
        if not isinstance(chunk, dict):
            raise EndpointFault(f"sent a piece of its stream that is {kind_of(chunk)}", _NO_CHUNK)
        if chunk.get("error"):
            raise body_fault(chunk["error"])
        if isinstance(chunk.get("usage"), dict):
            self._usage = chunk["usage"]
        choice = _first(chunk.get("choices"))
        if choice is None:
            return ""
        if choice.get("error"):
            raise body_fault(choice["error"])
        self._chosen = True
        if isinstance(choice.get("finish_reason"), str):
            self._finish = choice["finish_reason"]
        delta = choice.get("delta")
        if isinstance(delta, dict):
            return self._add_delta(delta)
        return self._add_delta(choice["message"], whole=True) if isinstance(choice.get("message"), dict) else ""

    def reply(self) -> ModelReply:
        """The answer. Raises EndpointFault where it is none."""
        message: dict[str, Any] = {"content": "".join(self._text), "refusal": "".join(self._refusal)}
        if self._calls:
            message["tool_calls"] = [{"id": call.id, "function": call.function()} for call in self._calls]
        if self._legacy is not None:
            message["function_call"] = self._legacy.function()
        choices = [{"message": message, "finish_reason": self._finish}] if self._chosen else []
        return reply_of({"choices": choices, "usage": self._usage})

    def _add_delta(self, delta: dict[str, Any], *, whole: bool = False) -> str:
        text = read_text(delta.get("content"))
        if whole and self._text:  # the message once more, after its pieces
            return ""
        if text:
            self._text.append(text)
        if isinstance(delta.get("refusal"), str):
            self._refusal.append(delta["refusal"])
        asked = delta.get("tool_calls")
        for entry in asked if isinstance(asked, list) else [asked] if asked else []:
            if not isinstance(entry, dict):
                raise EndpointFault(f"sent a piece of a tool call that is {kind_of(entry)}", _NO_CHUNK)
            self._call_of(entry).add(entry)
        if isinstance(delta.get("function_call"), dict):
            self._legacy = self._legacy or _Call()
            self._legacy.add(delta["function_call"])
        return text

    def _call_of(self, entry: dict[str, Any]) -> _Call:
        """The call that a piece belongs to: by its index, or without one, by its id; a piece with neither goes on."""
        index, given = entry.get("index"), entry.get("id")
        given = given if isinstance(given, str) else ""
        if isinstance(index, int) and not isinstance(index, bool):
            found = self._by_index.get(index)
            if found is None or (given and found.id and given != found.id):  # some endpoints write index 0 everywhere
                found = self._by_index[index] = self._new_call()
            return found
        known = next((call for call in self._calls if given and call.id == given), None)
        if known is not None:
            return known
        function = entry.get("function")
        begins = given or (isinstance(function, dict) and function.get("name"))
        return self._new_call() if begins or not self._calls else self._calls[-1]

    def _new_call(self) -> _Call:
        self._calls.append(_Call())
        return self._calls[-1]


def _first(choices: Any) -> dict[str, Any] | None:
    """The choice with index 0; others were not asked for."""
    for choice in choices if isinstance(choices, list) else []:
        if isinstance(choice, dict) and choice.get("index") in (0, None):
            return choice
    return None
