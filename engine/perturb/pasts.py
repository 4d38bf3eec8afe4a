"""The pasts that an agent can be given: one function a type, from its rendered keys to messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...schemas.codec import encode
from .messages import Message, PriorCall

Args = Mapping[str, Any]
Past = Callable[[str, Args], Iterator[Message]]
"""From the tool that is named ("" where none is) and the rendered keys to the messages, oldest first."""

ASKED = "Please look it up."


def blank_assistant_turn(tool: str, args: Args) -> Iterator[Message]:
    yield _user(args, "Are you there?")
    yield Message(role="assistant")


def tool_call_as_text(tool: str, args: Args) -> Iterator[Message]:
    yield _user(args, ASKED)
    call = encode({"name": tool, "arguments": args.get("args", {})}).decode()
    yield Message(role="assistant", content=f"<tool_call>{call}</tool_call>")


def malformed_tool_call(tool: str, args: Args) -> Iterator[Message]:
    """The call stands as the bench's own loop leaves one whose arguments it could not read: its error quotes them."""
    broken = encode(args.get("args", {})).decode()[:-1]
    error = f"Error: the arguments could not be read (not JSON: it breaks off after character {len(broken)}): {broken}"
    yield from _called(tool, {}, error, args, "That call did not work.")


def wrong_prior_call(tool: str, args: Args) -> Iterator[Message]:
    yield from _called(tool, args.get("args", {}), str(args["result"]), args, "Done.")


def rejected_call(tool: str, args: Args) -> Iterator[Message]:
    error = f"Error: {args.get('reason', 'the user rejected this call')}"
    yield from _called(tool, args.get("args", {}), error, args, "I may not do that.")


def truncated_page(tool: str, args: Args) -> Iterator[Message]:
    page = str(args["page"])
    kept = page[: args.get("keep_chars", len(page) // 2)]
    yield from _called(tool, args.get("args", {}), kept, args, "I have read it.")


def stale_memory(tool: str, args: Args) -> Iterator[Message]:
    yield Message(role="user", content=f"Notes from an earlier conversation:\n{args['memory']}")
    yield Message(role="assistant", content=str(args.get("reply", "Noted.")))


def history(tool: str, args: Args) -> Iterator[Message]:
    for message in args["messages"]:
        calls = tuple(
            PriorCall(tool=str(call["tool"]), args=call.get("args", {}), result=str(call["result"]))
            for call in message.get("calls", ())
        )
        yield Message(role=message["role"], content=str(message.get("content", "")), calls=calls)


def _user(args: Args, said: str) -> Message:
    return Message(role="user", content=str(args.get("user", said)))


def _called(tool: str, call_args: Any, result: str, args: Args, reply: str) -> Iterator[Message]:
    """A call with its result, and a reply: without one, strict endpoints refuse the user's next turn."""
    yield _user(args, ASKED)
    yield Message(role="assistant", calls=(PriorCall(tool=tool, args=call_args, result=result),))
    yield Message(role="assistant", content=str(args.get("reply", reply)))


ALL_PASTS: dict[str, Past] = {
    "blank-assistant-turn": blank_assistant_turn,
    "tool-call-as-text": tool_call_as_text,
    "malformed-tool-call": malformed_tool_call,
    "wrong-prior-call": wrong_prior_call,
    "rejected-call": rejected_call,
    "truncated-page": truncated_page,
    "stale-memory": stale_memory,
    "history": history,
}
