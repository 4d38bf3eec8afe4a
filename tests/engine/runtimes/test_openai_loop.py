"""The agent loop: what is sent, what is carried out, and what stands in the conversation afterwards."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from kit.drive import Driven, drive, openai_bench
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from windtunnel.engine.runtimes.base import Reply, RuntimeFault
from windtunnel.engine.runtimes.openai import CANCELLED, NO_REPLY, NO_STEPS
from windtunnel.schemas.records import Usage


async def one_turn(driven: Driven) -> Reply:
    return await driven.handle.send(driven.session, "Hello.")


def reply_to(*answers: Answer, **settings: Any) -> Reply:
    """The reply to one turn."""
    return drive(list(answers), one_turn, **settings)


def requests_of(*answers: Answer, turns: int = 1, **settings: Any) -> list[Request]:
    """What the endpoint was asked in so many turns."""

    async def work(driven: Driven) -> list[Request]:
        for n in range(turns):
            await driven.handle.send(driven.session, f"Turn {n + 1}.")
        return driven.endpoint.requests

    return drive(list(answers), work, **settings)


def calls_of(*answers: Answer) -> list[tuple[str, Any, str]]:
    """The witnessed calls of one turn: name, arguments and status."""

    async def work(driven: Driven) -> list[tuple[str, Any, str]]:
        await driven.handle.send(driven.session, "Hello.")
        return [(call.name, call.args, call.status) for call in driven.session.witness.calls]

    return drive(list(answers), work)


LOOKUP = tool_call("client_lookup", {"query": "Bluewing"})
FOUND = '[{"name":"Bluewing Logistics","email":"ops@bluewing.example"}]'


def test_a_turn_sends_model_prompt_tools_and_sampling() -> None:
    (request,) = requests_of(
        message("Hi."), system_prompt="Be brief.", sampling={"temperature": 0, "max_tokens": 16}, api_key="key-123456"
    )
    assert request.path == "/v1/chat/completions"
    assert request.headers["Authorization"] == "Bearer key-123456"
    assert request.headers["Content-Type"] == "application/json"
    tools = request.body.pop("tools")
    assert request.body == {
        "model": "small",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Turn 1."}],
        "temperature": 0,
        "max_tokens": 16,
    }
    assert [tool["function"]["name"] for tool in tools] == ["client_lookup", "clock", "refuse", "order"]
    assert tools[0] == {
        "type": "function",
        "function": {
            "name": "client_lookup",
            "description": "The tool client_lookup.",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
                "additionalProperties": False,
            },
        },
    }


def test_the_reply_carries_text_usage_and_finish_reason() -> None:
    assert reply_to(message("Hi.", finish_reason="length")) == Reply(
        text="Hi.", usage=Usage(input_tokens=11, output_tokens=7), finish_reason="length"
    )


def test_without_a_key_no_authorization_is_sent() -> None:
    (request,) = requests_of(message("Hi."))
    assert "Authorization" not in request.headers


def test_headers_of_the_agent_win_over_the_key() -> None:
    (request,) = requests_of(
        message("Hi."), api_key="key-123456", headers={"authorization": "Basic eDp5", "X-Team": "a"}
    )
    assert request.headers["Authorization"] == "Basic eDp5"
    assert request.headers["X-Team"] == "a"


@pytest.mark.parametrize(
    ("tail", "path"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/chat/completions", "/v1/chat/completions"),
        ("?api-version=2", "/v1/chat/completions?api-version=2"),
    ],
)
def test_the_path_is_added_to_the_base_url(tail: str, path: str) -> None:
    with Endpoint([message("Hi.")]) as endpoint:

        async def work() -> None:
            bench = openai_bench(f"{endpoint.base_url}{tail}")
            handle = await bench.openai()
            await handle.send(bench.session(), "Hello.")
            await handle.teardown()

        asyncio.run(work())
        assert [request.path for request in endpoint.requests] == [path]


def test_a_call_is_carried_out_and_its_result_goes_back() -> None:
    first, second = requests_of(calls(LOOKUP, content="I look."), message("It is ops@bluewing.example."))
    assert len(first.messages) == 1
    assert second.messages[1:] == [
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "client_lookup", "arguments": '{"query": "Bluewing"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": FOUND},
    ]


def test_calls_are_witnessed_with_the_endpoints_id_beside_them() -> None:
    async def work(driven: Driven) -> list[Any]:
        await driven.handle.send(driven.session, "Hello.")
        return driven.session.witness.calls

    (call,) = drive([calls(LOOKUP), message("Done.")], work)
    assert (call.n, call.turn, call.name, call.args) == (1, 1, "client_lookup", {"query": "Bluewing"})
    assert call.status == "ok"
    assert call.provider_call_id == "call_1"


def test_usage_is_the_sum_of_the_turn() -> None:
    assert reply_to(calls(LOOKUP), message("Done.")).usage == Usage(input_tokens=22, output_tokens=14)


def test_usage_is_unknown_as_soon_as_one_request_did_not_tell() -> None:
    assert reply_to(calls(LOOKUP, usage=None), message("Done.")).usage is None
    assert reply_to(calls(LOOKUP), message("Done.", usage={"prompt_tokens": "many"})).usage is None


def test_parallel_calls_are_numbered_and_answered_in_the_order_asked() -> None:
    asked = calls(
        tool_call("refuse", {"who": "Ana"}, "a"),
        tool_call("clock", {}, "b"),
        tool_call("client_lookup", {"query": "Bluewing"}, "c"),
    )
    _, second = requests_of(asked, message("Done."))
    assert [(each["tool_call_id"], each["content"]) for each in second.messages[2:]] == [
        ("a", "Error: not today, Ana"),
        ("b", "09:00"),
        ("c", FOUND),
    ]
    assert [name for name, _, _ in calls_of(asked, message("Done."))] == ["refuse", "clock", "client_lookup"]


@pytest.mark.parametrize("given", ["", None, 7, "again"])
def test_ids_that_are_missing_or_used_before_are_minted_anew(given: Any) -> None:
    asked = calls(tool_call("clock", {}, "again"), tool_call("clock", {}, given), tool_call("clock", {}, given))
    *_, last = requests_of(asked, asked, message("Done."))
    sent = [call["id"] for each in last.messages for call in each.get("tool_calls", ())]
    answered = [each["tool_call_id"] for each in last.messages if each["role"] == "tool"]
    assert sent == answered
    assert len(set(sent)) == 6
    assert sent[0] == "again"
    assert all(len(id_) == 9 and id_.isalnum() for id_ in sent[1:])


def test_the_history_of_a_session_grows_and_another_session_begins_afresh() -> None:
    async def work(driven: Driven) -> list[Request]:
        other = openai_bench("unused").session(run_number=2)
        for session, text in ((driven.session, "One."), (driven.session, "Two."), (other, "Three.")):
            await driven.handle.send(session, text)
        return driven.endpoint.requests

    requests = drive([message("Hi.")], work)
    assert [[each["content"] for each in request.messages] for request in requests] == [
        ["One."],
        ["One.", "Hi.", "Two."],
        ["Three."],
    ]


def test_a_debrief_sends_the_whole_conversation_with_the_tools_on() -> None:
    async def work(driven: Driven) -> tuple[str, Request, int]:
        await driven.handle.send(driven.session, "One.")
        driven.session.witness.seal()
        reply = await driven.handle.send(driven.session, "Why?", purpose="debrief")
        return reply.text, driven.endpoint.requests[-1], len(driven.session.witness.calls)

    text, last, witnessed = drive([message("Hi."), calls(LOOKUP), message("Because.")], work)
    assert text == "Because."
    assert [each["role"] for each in last.messages] == ["user", "assistant", "user", "assistant", "tool"]
    assert last.messages[-1]["content"] == FOUND
    assert len(last.body["tools"]) == 4
    assert witnessed == 0


def test_the_turn_ends_with_the_last_text_when_the_steps_are_used_up() -> None:
    answers = [calls(LOOKUP, content="I look."), calls(tool_call("clock", {}, "b")), message("Never.")]
    assert reply_to(*answers, max_steps=2) == Reply(
        text="I look.", usage=Usage(input_tokens=22, output_tokens=14), finish_reason="max-steps"
    )
    requests = requests_of(*answers, max_steps=2, turns=2)
    assert len(requests) == 3
    assert requests[2].messages[-2:] == [
        {"role": "assistant", "content": NO_STEPS},
        {"role": "user", "content": "Turn 2."},
    ]


def test_eight_steps_are_the_default() -> None:
    assert len(requests_of(calls(LOOKUP))) == 8


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("", "empty"),
        ("  ", "empty"),
        (None, "empty"),
        ('{"query": "Blue', "not JSON"),
        ("query: Bluewing", "not JSON"),
        ('{"query": NaN}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('["Bluewing"]', "a list, not an object"),
        ('"Bluewing"', "text, not an object"),
        ("null", "null or missing, not an object"),
        ([1], "a list, not an object"),
        (7, "a number, not an object"),
    ],
)
def test_arguments_that_cannot_be_read_are_a_tool_error_that_the_agent_sees(arguments: Any, why: str) -> None:
    _, second = requests_of(calls(tool_call("client_lookup", arguments)), message("Sorry."))
    assert second.messages[1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert why in second.messages[2]["content"]
    ((name, _, status),) = calls_of(calls(tool_call("client_lookup", arguments)), message("Sorry."))
    assert (name, status) == ("client_lookup", "error")


@pytest.mark.parametrize("arguments", ["", None, " "])
def test_nothing_stands_for_no_arguments_where_the_tool_needs_none(arguments: Any) -> None:
    assert calls_of(calls(tool_call("clock", arguments)), message("Done.")) == [("clock", {}, "ok")]


def test_arguments_that_are_an_object_already_are_taken_as_they_are() -> None:
    asked = calls({"id": "a", "function": {"name": "client_lookup", "arguments": {"query": "Bluewing"}}})
    assert calls_of(asked, message("Done.")) == [("client_lookup", {"query": "Bluewing"}, "ok")]
    _, second = requests_of(asked, message("Done."))
    assert second.messages[1]["tool_calls"][0]["function"]["arguments"] == '{"query":"Bluewing"}'


@pytest.mark.parametrize("name", ["no_such_tool", "", None, 7, "x" * 500])
def test_a_tool_that_is_not_there_is_a_tool_error_that_the_agent_sees(name: Any) -> None:
    async def work(driven: Driven) -> list[str]:
        await driven.handle.send(driven.session, "Hello.")
        return [call.status for call in driven.session.witness.calls]

    assert drive([calls(tool_call(name, {})), message("Done.")], work) == ["error"]


def test_a_legacy_function_call_is_answered_in_its_own_form() -> None:
    asked = message(None, function_call={"name": "client_lookup", "arguments": '{"query": "Bluewing"}'})
    _, second = requests_of(asked, message("Done."))
    assert second.messages[1:] == [
        {
            "role": "assistant",
            "content": None,
            "function_call": {"name": "client_lookup", "arguments": '{"query": "Bluewing"}'},
        },
        {"role": "function", "name": "client_lookup", "content": FOUND},
    ]


def test_null_content_a_refusal_and_parts_are_replies() -> None:
    assert reply_to(message(None)).text == ""
    assert reply_to(message(None, refusal="I cannot.")).text == "I cannot."
    assert reply_to(message([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}])).text == "Hello."


def test_a_reply_of_fifty_megabytes_arrives_whole_and_stands_cut_in_the_conversation() -> None:
    async def work(driven: Driven) -> tuple[int, str]:
        reply = await driven.handle.send(driven.session, "Hello.")
        await driven.handle.send(driven.session, "Again.")
        return len(reply.text), driven.endpoint.requests[1].messages[1]["content"]

    size = 50 * 1024 * 1024
    length, kept = drive([message("x" * size), message("Hi.")], work)
    assert length == size
    assert kept == "x" * 65_536 + f"… [cut, {size} characters in all]"


def test_lone_surrogates_in_a_reply_and_in_arguments_do_not_lose_the_turn() -> None:
    bad = json.dumps({"query": "\ud800"})
    first, second = requests_of(calls(tool_call("client_lookup", bad)), message("\udfff"), turns=1)
    assert first.messages[0]["content"] == "Turn 1."
    assert second.messages[2]["role"] == "tool"
    assert reply_to(message("\udfff")).text == "\udfff"


def test_a_cancelled_turn_leaves_a_conversation_that_can_go_on() -> None:
    async def work(driven: Driven) -> list[dict[str, Any]]:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(driven.handle.send(driven.session, "One."), 0.3)
        await driven.handle.send(driven.session, "Two.", purpose="debrief")
        return driven.endpoint.requests[-1].messages

    assert drive([Answer(hold=True), message("Hi.")], work) == [
        {"role": "user", "content": "One."},
        {"role": "assistant", "content": NO_REPLY},
        {"role": "user", "content": "Two."},
    ]


def test_a_turn_that_is_cancelled_in_its_calls_keeps_each_call_with_an_answer() -> None:
    async def work(driven: Driven) -> list[dict[str, Any]]:
        stuck = asyncio.Event()
        real = driven.session.host.call

        async def call(name: str, args: object, *, provider_call_id: str = "") -> Any:
            result = await real(name, args, provider_call_id=provider_call_id)
            if name == "clock":
                await stuck.wait()
            return result

        driven.session.host.call = call  # type: ignore[method-assign]  # the one call that never ends
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(driven.handle.send(driven.session, "One."), 0.3)
        await driven.handle.send(driven.session, "Two.", purpose="debrief")
        return driven.endpoint.requests[-1].messages

    asked = calls(tool_call("clock", {}, "a"), tool_call("client_lookup", {"query": "Bluewing"}, "b"))
    sent = drive([asked, message("Hi.")], work)
    assert [(each["role"], each["content"]) for each in sent] == [
        ("user", "One."),
        ("assistant", None),
        ("tool", CANCELLED),
        ("tool", FOUND),
        ("assistant", NO_REPLY),
        ("user", "Two."),
    ]


def test_sessions_run_at_once_over_one_handle() -> None:
    async def work(driven: Driven) -> int:
        sessions = [openai_bench("unused").session(run_number=n) for n in range(150)]
        await asyncio.gather(*(driven.handle.send(session, "Hello.") for session in sessions))
        return driven.endpoint.most_at_once

    def slow(_: Request) -> Answer:
        return Answer(body=message("Hi.").body, delay_s=0.5)

    with Endpoint(slow) as endpoint:

        async def run() -> int:
            handle = await openai_bench(endpoint.base_url).openai()
            driven = Driven(endpoint=endpoint, handle=handle, session=openai_bench("unused").session())
            try:
                return await work(driven)
            finally:
                await handle.teardown()

        assert asyncio.run(run()) > 100


def test_the_surface_tells_prompt_and_sampling_and_not_where_the_model_is() -> None:
    async def work(driven: Driven) -> tuple[Any, str]:
        return driven.handle.describe_surface(driven.session), driven.handle.model

    surface, model = drive([message("Hi.")], work, system_prompt="Be brief.", sampling={"temperature": 0}, max_steps=3)
    assert surface == {"system_prompt": "Be brief.", "sampling": {"temperature": 0}, "max_steps": 3}
    assert model == "small"


def test_nothing_is_sent_after_teardown() -> None:
    async def work(driven: Driven) -> int:
        await driven.handle.teardown()
        with pytest.raises(RuntimeFault, match="was already given back"):
            await driven.handle.send(driven.session, "Hello.")
        return len(driven.endpoint.requests)

    assert drive([message("Hi.")], work) == 0
