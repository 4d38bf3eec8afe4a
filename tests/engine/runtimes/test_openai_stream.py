"""A streamed answer reads as one that came whole, and hooks hear of its pieces."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from typing import Any

import pytest
from kit.drive import Driven, drive
from kit.endpoint import DONE, Answer, calls, chunk, message, said, stream, tool_call
from kit.heard import Bench, Recorder, bench
from windtunnel.engine.model_calls import DELTA_CHARS
from windtunnel.engine.runtimes.base import Reply, RuntimeFault
from windtunnel.schemas.records import Usage
from windtunnel.schemas.secrets import Secrets

STREAM = {"stream": True, "retries": 0}


def reply_to(*answers: Answer, heard: Bench | None = None, **settings: Any) -> Reply:
    async def work(driven: Driven) -> Reply:
        return await driven.handle.send(driven.session, "Hello.")

    return drive(list(answers), work, heard=heard, **{**STREAM, **settings})


def fault_of(*answers: Answer, **settings: Any) -> str:
    with pytest.raises(RuntimeFault) as raised:
        reply_to(*answers, **settings)
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", str(raised.value))


def streamed(*answers: Answer, **settings: Any) -> tuple[list[tuple[str, dict[str, Any]]], Bench]:
    """The events of one turn as a hook hears them, without where they come from."""
    hook = Recorder()
    hooks = bench(hook)
    with suppress(RuntimeFault):
        reply_to(*answers, heard=hooks, **settings)
    hooks.hooks.close()
    told = ("index", "text", "status", "chunks", "error", "retry_count", "usage", "finish_reason", "messages", "tools")
    return [(name, {key: fields[key] for key in told if key in fields}) for name, fields in hook.heard], hooks


def test_the_request_asks_for_a_stream_and_for_its_usage() -> None:
    async def work(driven: Driven) -> tuple[dict[str, Any], bool]:
        await driven.handle.send(driven.session, "Hello.")
        body = driven.endpoint.requests[0].body
        return {key: body.get(key) for key in ("stream", "stream_options")}, "stream" in driven.handle.describe_surface(driven.session)

    assert drive([said("Hi.")], work, stream=True) == ({"stream": True, "stream_options": {"include_usage": True}}, True)
    assert drive([message("Hi.")], work) == ({"stream": None, "stream_options": None}, False)


def test_a_streamed_answer_is_the_same_as_one_that_came_whole() -> None:
    whole = reply_to(message("It is three."), stream=False)
    assert reply_to(said("It ", "is", " three.")) == whole
    assert whole == Reply(text="It is three.", usage=Usage(input_tokens=11, output_tokens=7), finish_reason="stop")


SAYS = [chunk({"content": "Größe: "}), chunk({"content": "1 🙂"}), chunk({}, finish_reason="stop")]
USAGE = chunk(usage={"prompt_tokens": 11, "completion_tokens": 7})


@pytest.mark.parametrize(
    "pieces",
    [
        (*SAYS, USAGE, DONE),
        (b"".join([*SAYS, USAGE, DONE]),),
        tuple(bytes([byte]) for byte in b"".join([*SAYS, USAGE, DONE])),
        (b": OPENROUTER PROCESSING\n\n", *SAYS, b": ping\n\n", USAGE, b"data: [DONE]"),
        (*(piece.replace(b"\n", b"\r\n") for piece in SAYS), USAGE, b"data:[DONE]\r\n\r\n"),
        (*SAYS[:2], chunk({}, finish_reason="stop", usage={"prompt_tokens": 11, "completion_tokens": 7})),  # and no [DONE]
        (chunk(usage={"prompt_tokens": 11, "completion_tokens": 1}), *SAYS, USAGE, chunk(usage=None), DONE),
        (b"".join(piece.removesuffix(b"\n") for piece in [*SAYS, USAGE, DONE]),),  # no blank lines between
        (chunk(prompt_filter_results=[]), chunk({"role": "assistant", "content": None}), *SAYS, USAGE, DONE),
        (*SAYS, USAGE, DONE, b"data: nonsense\n\n"),
    ],
    ids=["sound", "at once", "byte by byte", "comments", "CRLF", "no DONE", "usage often", "no blank lines", "Azure", "more"],
)  # fmt: skip
def test_streams_as_endpoints_really_send_them(pieces: tuple[bytes, ...]) -> None:
    assert reply_to(stream(*pieces)) == Reply(
        text="Größe: 1 🙂", usage=Usage(input_tokens=11, output_tokens=7), finish_reason="stop"
    )


def test_without_a_usage_chunk_there_is_no_usage() -> None:
    assert reply_to(said("Hi.", usage=None)).usage is None


def test_an_endpoint_that_does_not_stream_is_understood() -> None:
    assert reply_to(message("Hi.")).text == "Hi."
    whole = json.dumps(message("Hi.").body).encode()
    assert reply_to(stream(whole)).text == "Hi."
    assert reply_to(Answer(body=b"".join([*SAYS, DONE]), content_type="text/plain")).text == "Größe: 1 🙂"


def test_content_in_parts_thoughts_and_whole_messages() -> None:
    parts = chunk({"content": [{"type": "text", "text": "Hi."}, {"type": "thinking", "text": "hm"}]})
    assert reply_to(stream(chunk({"reasoning_content": "hm"}), parts, DONE)).text == "Hi."
    whole = b'data: {"choices": [{"message": {"content": "Hi."}, "finish_reason": "stop"}]}\n\n'
    assert reply_to(stream(whole, DONE)).text == "Hi."
    assert reply_to(stream(chunk({"content": "Hi."}), whole, DONE)).text == "Hi."
    assert reply_to(stream(chunk({"refusal": "I "}), chunk({"refusal": "won't."}), DONE)) == Reply(
        text="I won't.", finish_reason="refusal"
    )
    other = b'data: {"choices": [{"index": 1, "delta": {"content": "other"}}]}\n\n'
    assert reply_to(stream(other, *SAYS, DONE)).text == "Größe: 1 🙂"


def piece(index: Any = None, call_id: Any = None, name: Any = None, arguments: Any = None) -> bytes:
    """One piece of a tool call, with what it has."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    entry = {key: value for key, value in (("index", index), ("id", call_id)) if value is not None}
    return chunk({"tool_calls": [{**entry, "type": "function", "function": function}]})


TEA = '{"item": "tea", "count": 2}'
ENDS = (chunk({}, finish_reason="tool_calls"), DONE)


@pytest.mark.parametrize(
    "pieces",
    [
        (piece(0, "a", "order", ""), piece(0, None, None, TEA[:9]), piece(0, None, None, TEA[9:]),
         piece(1, "b", "clock", "{}")),
        (piece(0, "a", "order", TEA[:9]), piece(1, "b", "clock", "{}"), piece(0, None, None, TEA[9:])),
        (piece(0, "a", "order", TEA), piece(0, "b", "clock", "{}")),  # index 0 everywhere
        (piece(None, "a", "order", TEA), piece(None, "b", "clock", "{}")),  # no index
        (piece(None, "a", "order", TEA[:9]), piece(None, None, None, TEA[9:]), piece(None, "b", "clock", "")),
        (piece(None, "a", "order", TEA[:9]), piece(None, "b", "clock", "{}"), piece(None, "a", None, TEA[9:])),
        (piece(0, "a", "order", TEA[:9]), piece(0, "a", "order", TEA[9:]), piece(1, "b", "clock")),  # the name again
        (piece(0, "a", "or"), piece(0, None, "der", TEA), piece(1, "b", "clock", "")),  # the name in pieces
        (piece(0, "a", "order", {"item": "tea", "count": 2}), piece(1, "b", "clock", {})),  # an object at once
        (chunk({"tool_calls": {"index": 0, "id": "a", "name": "order", "arguments": TEA}}), piece(1, "b", "clock")),
    ],
)  # fmt: skip
def test_tool_calls_are_put_together_from_their_pieces(pieces: tuple[bytes, ...]) -> None:
    async def work(driven: Driven) -> list[tuple[str, Any, str, Any]]:
        await driven.handle.send(driven.session, "Hello.")
        return [(call.name, call.args, call.status, call.provider_call_id) for call in driven.session.witness.calls]

    assert drive([stream(*pieces, *ENDS), said("Done.")], work, stream=True) == [
        ("order", {"item": "tea", "count": 2}, "ok", "a"),
        ("clock", {}, "ok", "b"),
    ]


def test_a_legacy_function_call_is_put_together() -> None:
    async def work(driven: Driven) -> list[str]:
        await driven.handle.send(driven.session, "Hello.")
        return [f"{call.name} {call.text}" for call in driven.session.witness.calls]

    pieces = [chunk({"function_call": {"name": "order", "arguments": TEA[:5]}}), chunk({"function_call": {"arguments": TEA[5:]}})]
    assert drive([stream(*pieces, *ENDS), said("Done.")], work, stream=True) == ["order 2 of tea"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (stream(*SAYS[:2]), "broke off in the middle of its stream; look at the endpoint's log"),
        (stream(*SAYS[:2], cut_at=0), "broke off in the middle of its answer; look at the endpoint's log"),
        (stream(*SAYS[:1], b'data: {"cho', cut_at=0), "broke off in the middle of its answer; look at the endpoint's log"),
        (stream(*SAYS[:1], b'data: {"error": {"message": "overheated", "code": 503}}\n\n'),
         "answered status 200 with an error (code 503): overheated; the endpoint's own message says what to do"),
        (stream(b'event: error\ndata: {"message": "overheated"}\n\n'),
         "answered status 200 with an error: overheated; the endpoint's own message says what to do"),
        (stream(b"data: {nonsense\n\n", DONE),
         "sent a piece of its stream that cannot be read; it begins: {nonsense; "
         "look at the endpoint's log, or turn `stream` off"),
        (stream(b"data: [1]\n\n", DONE), "sent a piece of its stream that is a list; look at the endpoint's log: "
         "a stream of chat.completion.chunk objects is due"),
        (stream(b'data: {"choices": [{"index": 0, "delta": {"tool_calls": ["x"]}}]}\n\n', DONE),
         "sent a piece of a tool call that is text; look at the endpoint's log: "
         "a stream of chat.completion.chunk objects is due"),
        (stream(DONE), "answered without any choice; ask the endpoint's log why the model gave none"),
        (stream(b": nothing\n\n"), "answered status 200 with a body of 11 bytes that cannot be read (not JSON: Expecting "
         "value: line 1 column 1 (char 0)); it begins: : nothing; base_url must be the root of a Chat Completions API "
         "(it often ends in /v1)"),
        (stream(b'{"error": "no model"}'), "answered status 200 with an error: no model; "
         "the endpoint's own message says what to do"),
    ],
    ids=["ends early", "is cut", "is cut in a piece", "error", "error event", "nonsense", "no object", "no call", "nothing",
         "comments alone", "an error instead"],
)  # fmt: skip
def test_a_stream_that_goes_wrong_is_a_fault_of_the_endpoint(answer: Answer, told: str) -> None:
    assert fault_of(answer) == f"endpoint 127.0.0.1:PORT {told}"


def test_a_stream_that_broke_off_is_tried_again() -> None:
    assert reply_to(stream(*SAYS[:2], cut_at=0), stream(*SAYS[:2]), said("Hi."), retries=2).text == "Hi."


def test_hooks_hear_the_pieces_in_order() -> None:
    events, hooks = streamed(said("It ", "is", " three."))
    assert [event for event in events if event[0].startswith("on_stream")] == [
        ("on_stream_start", {}),
        ("on_stream_delta", {"index": 0, "text": "It "}),
        ("on_stream_delta", {"index": 1, "text": "is"}),
        ("on_stream_delta", {"index": 2, "text": " three."}),
        ("on_stream_end", {"status": "ok", "chunks": 3}),
    ]
    assert hooks.faults == []


def test_a_stream_that_breaks_ends_once_and_its_attempt_too() -> None:
    events, _ = streamed(stream(*SAYS[:1], cut_at=0), said("Hi."), retries=1)
    streams = [event for event in events if event[0].startswith("on_stream")]
    assert streams == [
        ("on_stream_start", {}),
        ("on_stream_delta", {"index": 0, "text": "Größe: "}),
        ("on_stream_end", {"status": "error", "chunks": 1}),
        ("on_stream_start", {}),
        ("on_stream_delta", {"index": 0, "text": "Hi."}),
        ("on_stream_end", {"status": "ok", "chunks": 1}),
    ]
    assert [fields for name, fields in events if name == "post_api_request"] == [
        {"status": "error", "error": "EndpointFault: broke off in the middle of its answer", "retry_count": 0,
         "usage": {}, "finish_reason": "", "messages": 1, "tools": 4},
        {"status": "ok", "error": "", "retry_count": 1, "usage": {"input_tokens": 11, "output_tokens": 7},
         "finish_reason": "stop", "messages": 1, "tools": 4},
    ]  # fmt: skip


def test_an_answer_that_came_whole_has_no_stream_to_hear_of() -> None:
    events, _ = streamed(message("Hi."))
    assert [name for name, _ in events] == ["pre_api_request", "post_api_request"]


def test_a_large_piece_is_told_in_several() -> None:
    events, _ = streamed(said("ü" * (2 * DELTA_CHARS + 1)))
    assert [len(fields["text"]) for name, fields in events if name == "on_stream_delta"] == [DELTA_CHARS, DELTA_CHARS, 1]


def test_a_secret_that_comes_in_pieces_is_not_told() -> None:
    secrets, hook = Secrets(), Recorder("on_stream_delta")
    secrets.add("KEY", "sk-0123456789")
    hooks = bench(hook, secrets=secrets)
    reply_to(said("The key is sk-", "01234", "56789. Or sk-", "0 or sk-0123"), heard=hooks)
    hooks.hooks.close()
    assert [fields["text"] for _, fields in hook.heard] == ["The key is ", "***. Or ", "sk-0 or ", "sk-0123"]
    assert secrets.unfinished("x sk-0123456789") == 0
    assert secrets.unfinished("") == 0


def test_a_turn_that_is_cancelled_in_a_stream_ends_it() -> None:
    hook = Recorder()
    hooks = bench(hook)

    async def work(driven: Driven) -> None:
        turn = asyncio.ensure_future(driven.handle.send(driven.session, "Hello."))
        while not hook.of("on_stream_delta"):
            await asyncio.sleep(0.001)
        turn.cancel()
        await asyncio.wait({turn})
        assert turn.cancelled()
        await driven.session.events.settled()

    drive([stream(*SAYS[:1], hold=True)], work, heard=hooks, **STREAM)
    hooks.hooks.close()
    assert hook.of("on_stream_end")[0]["status"] == "cancelled"
    assert hook.of("post_api_request")[0]["status"] == "cancelled"


def test_a_hook_that_fails_changes_nothing_of_a_stream() -> None:
    class Broken:
        name = "broken"

        def on_stream_delta(self, text: str) -> None:
            raise ValueError(text)

    hooks = bench(Broken())
    assert reply_to(said("It ", "is"), heard=hooks).text == "It is"
    hooks.hooks.close()
    assert hooks.faults == [
        "hook:broken: on_stream_delta raised ValueError: It",
        "hook:broken: on_stream_delta raised ValueError: is",
    ]


def test_each_question_of_a_turn_is_a_call_of_its_own() -> None:
    hook = Recorder("pre_api_request", "pre_tool_call")
    hooks = bench(hook)
    reply_to(calls(tool_call("clock", {})), Answer(status=503, headers={"retry-after-ms": "0"}), said("Nine."), heard=hooks, retries=1)
    asked = [(fields["call_id"], fields["retry_count"], fields["messages"], fields["turn"]) for fields in hook.of("pre_api_request")]
    assert [rest for _, *rest in asked] == [[0, 1, 1], [0, 3, 1], [1, 3, 1]]
    ids = [call_id for call_id, *_ in asked]
    assert ids[1] == ids[2] != ids[0]
    assert len({fields["request_id"] for fields in hook.of("pre_api_request")}) == 3
