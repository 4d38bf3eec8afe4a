"""Read a Chat Completions answer as endpoints really send it: what can be understood is, the rest is a named fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import CodecFault, decode_foreign, encode
from ...schemas.records import Usage
from .openai_faults import EndpointFault, is_transient

MOST_CALLS = 128
NAME_CHARACTERS = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCall:
    """A tool call as the model asked for it. ``arguments`` is as it came; ``id`` "" where there was no usable one."""

    id: str
    name: str
    arguments: Any
    legacy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """One answer of the model: text, the calls it asks for, and what the endpoint told about it."""

    text: str
    calls: tuple[AskedCall, ...] = ()
    finish_reason: str = ""
    usage: Usage | None = None


def read_reply(body: bytes, content_type: str = "") -> ModelReply:
    """Read the body of an answer with status 200. Raises EndpointFault."""
    return reply_of(_read_object(body, content_type))


def reply_of(data: dict[str, Any]) -> ModelReply:
    """What an answer says, as an object: as it came, or put together from the pieces of a stream."""
    if data.get("error"):
        raise body_fault(data["error"])
    choice = _first_choice(data)
    message = choice.get("message")
    if not isinstance(message, dict):
        if choice.get("error"):
            raise body_fault(choice["error"])
        raise EndpointFault(f"answered a choice whose message is {kind_of(message)}", _NOT_CHAT)
    text = read_text(message.get("content"))
    finish = choice.get("finish_reason")
    finish = finish if isinstance(finish, str) else ""
    refusal = message.get("refusal")
    if not text and isinstance(refusal, str) and refusal:
        text, finish = refusal, "refusal"
    if not text and finish == "error" and choice.get("error"):
        raise body_fault(choice["error"])
    return ModelReply(text=text, calls=_read_calls(message), finish_reason=finish[:64], usage=_read_usage(data))


_NOT_CHAT = "base_url must be the root of a Chat Completions API (it often ends in /v1)"


def _read_object(body: bytes, content_type: str) -> dict[str, Any]:
    if not body.strip():
        raise EndpointFault("answered status 200 with an empty body", _NOT_CHAT)
    if "event-stream" in content_type:
        raise EndpointFault("answered with a stream, which was not asked for", "turn streaming off at the endpoint")
    try:
        data = decode_foreign(body)
    except CodecFault as fault:
        start = clean_text(body[:200].decode("utf-8", "replace"))
        raise EndpointFault(
            f"answered status 200 with a body of {len(body)} bytes that cannot be read ({fault}); it begins: {start}",
            "its answer is cut or broken: look at its log" if body.lstrip().startswith(b"{") else _NOT_CHAT,
        ) from None
    if not isinstance(data, dict):
        raise EndpointFault(f"answered status 200 with {kind_of(data)} where an object is due", _NOT_CHAT)
    return data


def _first_choice(data: dict[str, Any]) -> dict[str, Any]:
    choices = data.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return choices[0]
    if choices == []:
        raise EndpointFault("answered without any choice", "ask the endpoint's log why the model gave none")
    found = kind_of(choices[0]) if isinstance(choices, list) else kind_of(choices)
    raise EndpointFault(f"answered with {found} where its first choice is due", _NOT_CHAT)


def body_fault(error: Any, status: int | None = None) -> EndpointFault:
    """The fault that an ``error`` member tells; its code decides on a retry as a status would."""
    code = error.get("code", error.get("status")) if isinstance(error, dict) else None
    status = status or (code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code <= 599 else None)
    told = f" (code {status})" if status else ""
    return EndpointFault(
        f"answered status 200 with an error{told}: {error_text(error)}",
        "the endpoint's own message says what to do",
        retry=status is not None and is_transient(status),
    )


def error_text(error: Any) -> str:
    """The message of an error object of whatever shape."""
    if isinstance(error, dict):
        inner = error.get("message", error.get("detail", error.get("error")))
        if inner not in (None, ""):
            return error_text(inner)
    return as_text(error)


def read_text(content: Any) -> str:
    """The text of ``content``: text, null, a list of parts or one part; anything else is kept as JSON text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(_part_text(part) for part in content)
    if isinstance(content, dict) and isinstance(content.get("text"), str | dict):
        return _part_text(content)
    return as_text(content)


def _part_text(part: Any) -> str:
    """A part's text; a picture, a thought or a shape that nobody knows has none."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or part.get("type") in ("thinking", "reasoning"):
        return ""
    text = part.get("text", part.get("refusal"))
    if isinstance(text, dict):
        text = text.get("value")
    return text if isinstance(text, str) else ""


def _read_calls(message: dict[str, Any]) -> tuple[AskedCall, ...]:
    asked = message.get("tool_calls")
    if asked:
        entries = asked if isinstance(asked, list) else [asked]
        if len(entries) > MOST_CALLS:
            raise EndpointFault(
                f"asked for {len(entries)} tool calls in one answer; at most {MOST_CALLS} are carried out",
                "limit parallel calls, for example with sampling.parallel_tool_calls: false",
            )
        return tuple(_read_call(entry, index) for index, entry in enumerate(entries))
    legacy = message.get("function_call")
    if isinstance(legacy, dict) and legacy:
        return (AskedCall(id="", name=_name(legacy), arguments=legacy.get("arguments"), legacy=True),)
    return ()


def _read_call(entry: Any, index: int) -> AskedCall:
    if not isinstance(entry, dict):
        raise EndpointFault(f"asked for a tool call (tool_calls[{index}]) that is {kind_of(entry)}", _NOT_CHAT)
    function = entry.get("function")
    if not isinstance(function, dict):
        function = entry  # some endpoints write name and arguments one level up
    given = entry.get("id")
    return AskedCall(
        id=clean_text(given, NAME_CHARACTERS) if isinstance(given, str) else "",
        name=_name(function),
        arguments=function.get("arguments"),
    )


def _name(function: dict[str, Any]) -> str:
    name = function.get("name")
    return clean_text(name, NAME_CHARACTERS) if isinstance(name, str) else ""


def _read_usage(data: dict[str, Any]) -> Usage | None:
    """Tokens, only where both counts are told as whole numbers."""
    usage = data.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
    if counts[0] is None or counts[1] is None:
        return None
    return Usage(input_tokens=counts[0], output_tokens=counts[1])


def _count(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    sound = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if sound else None


def as_text(value: Any) -> str:
    """A value of any shape as text."""
    return value if isinstance(value, str) else encode(clean_value(value)).decode()


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null or missing"
        case bool():
            return "true or false"
        case str():
            return "text"
        case int() | float():
            return "a number"
        case Mapping():
            return "an object"
        case _:
            return "a list"
