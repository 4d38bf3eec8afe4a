"""Every physical attempt at a model is told of once before and once after, whoever asks and however it ends."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from kit.drive import Driven, drive, scripted_bench
from kit.endpoint import Answer, calls, message, tool_call
from kit.heard import Bench, Recorder, bench
from windtunnel.engine.call_events import SILENT
from windtunnel.engine.model_calls import MOST_ERROR_CHARS, UNHEARD, ModelCalls
from windtunnel.engine.runtimes.base import Reply, RuntimeFault
from windtunnel.hooks.events import EVENTS
from windtunnel.schemas.records import Usage
from windtunnel.schemas.secrets import Secrets

REPLY = Reply(text="Hi.", usage=Usage(input_tokens=3, output_tokens=2), finish_reason="stop")


async def replies() -> Reply:
    return REPLY


def attempts(hooks: Bench, *sends: Any, **begin: Any) -> list[Any]:
    """Make the attempts of one call, one after another; each result or exception."""

    async def work() -> list[Any]:
        call = ModelCalls(hooks.events).begin("small", **begin)
        ended: list[Any] = []
        for number, send in enumerate(sends):
            try:
                ended.append(await call.attempt(send, retry_count=number, messages=2, tools=3))
            except BaseException as error:
                ended.append(error)
        return ended

    return asyncio.run(work())


def test_an_attempt_sends_the_fields_of_its_sample_and_no_others() -> None:
    hook = Recorder()
    attempts(bench(hook), replies)
    attempts(bench(hook), replies, purpose="debrief")
    assert hook.names == ["pre_api_request", "post_api_request", "pre_aux_request", "post_aux_request"]
    for name, fields in hook.heard:
        assert fields.keys() == EVENTS[name].sample.keys(), name
        assert {key: type(value) for key, value in fields.items()} == {
            key: type(value) for key, value in EVENTS[name].sample.items()
        }


def test_an_attempt_is_told_with_what_came_of_it() -> None:
    hook = Recorder("post_api_request")
    assert attempts(bench(hook), replies) == [REPLY]
    ((_, fields),) = hook.heard
    assert {key: fields[key] for key in ("model", "retry_count", "messages", "tools", "turn")} == {
        "model": "small", "retry_count": 0, "messages": 2, "tools": 3, "turn": 0,
    }  # fmt: skip
    assert (fields["status"], fields["error"], fields["finish_reason"]) == ("ok", "", "stop")
    assert fields["usage"] == {"input_tokens": 3, "output_tokens": 2}


def test_attempts_of_one_call_share_its_id_and_have_one_of_their_own() -> None:
    error, hook = RuntimeFault("busy"), Recorder()

    async def fails() -> Reply:
        raise error

    hooks = bench(hook)
    assert attempts(hooks, fails, fails, replies)[0] is error
    assert [fields["retry_count"] for fields in hook.of("pre_api_request")] == [0, 1, 2]
    assert [fields["status"] for fields in hook.of("post_api_request")] == ["error", "error", "ok"]
    assert len({fields["call_id"] for _, fields in hook.heard}) == 1
    assert len({fields["request_id"] for _, fields in hook.heard}) == 3
    assert [fields["request_id"] for fields in hook.of("pre_api_request")] == [
        fields["request_id"] for fields in hook.of("post_api_request")
    ]


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise self


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (ValueError("no"), "error", "ValueError: no"),
        (RuntimeFault("x" * 5000), "error", "RuntimeFault: " + "x" * (MOST_ERROR_CHARS - len("RuntimeFault: "))),
        (Unspeakable(), "error", "Unspeakable: (no text: its __str__ raised Unspeakable)"),
        (asyncio.CancelledError(), "cancelled", "CancelledError"),
        (SystemExit(3), "error", "SystemExit: 3"),
    ],
)
def test_a_failure_is_told_and_raised_unchanged(error: BaseException, status: str, told: str) -> None:
    hook = Recorder("post_api_request")

    async def work() -> None:
        events = bench(hook).events

        async def fails() -> None:
            raise error

        try:
            await ModelCalls(events).begin("small").attempt(fails)
        except BaseException as raised:
            assert raised is error
        await events.settled()

    asyncio.run(work())
    ((_, fields),) = hook.heard
    assert (fields["status"], fields["error"]) == (status, told)


def test_an_error_is_masked_before_it_is_cut() -> None:
    secrets, hook = Secrets(), Recorder("post_api_request")
    secrets.add("KEY", "sk-0123456789")

    async def fails() -> None:
        raise ValueError("y" * (MOST_ERROR_CHARS - 20) + " sk-0123456789")

    attempts(bench(hook, secrets=secrets), fails)
    assert "sk-" not in hook.heard[0][1]["error"]


def test_results_of_any_shape_are_handed_back_as_they_are() -> None:
    @dataclass
    class Odd:
        usage: str = "much"
        finish_reason: int = 3

    odd, hook = Odd(), Recorder("post_api_request")

    async def gives() -> Odd:
        return odd

    async def gives_none() -> None:
        return None

    assert attempts(bench(hook), gives, gives_none) == [odd, None]
    assert [(fields["usage"], fields["finish_reason"]) for _, fields in hook.heard] == [({}, ""), ({}, "")]


def test_a_helpers_attempts_are_told_with_whom_it_works_for() -> None:
    hook = Recorder()

    async def work() -> None:
        judge = ModelCalls(bench(hook).events).helper(agent="owl", session_id="s2", aux_task="llm_rubric")
        call = judge.begin("owl-1")
        await call.attempt(replies)
        await call.attempt(replies, retry_count=1)
        assert judge.aux_task == "llm_rubric"

    asyncio.run(work())
    assert hook.names == ["pre_aux_request", "post_aux_request"] * 2
    for _, fields in hook.heard:
        assert (fields["aux_task"], fields["agent"], fields["session_id"]) == ("llm_rubric", "owl", "s2")
        assert (fields["run_id"], fields["parent_run_id"], fields["parent_session_id"]) == ("r1", "r1", "s1")
    (aux_id,) = {fields["aux_id"] for _, fields in hook.heard}
    assert aux_id.startswith("aux-")
    assert int(aux_id.removeprefix("aux-"), 16)


def test_a_debrief_is_no_call_of_the_agents_own() -> None:
    hook = Recorder()
    attempts(bench(hook), replies, purpose="debrief")
    assert {(fields["aux_task"], fields["agent"], fields["parent_session_id"]) for _, fields in hook.heard} == {
        ("debrief", "careful", "s1")
    }


def test_without_a_listener_an_attempt_is_the_bare_call() -> None:
    async def work() -> None:
        call = UNHEARD.begin("small")
        assert await call.attempt(replies, messages=9) is REPLY
        call.stream.start()
        call.stream.delta("text")
        call.stream.end()

    asyncio.run(work())
    assert UNHEARD.events is SILENT


def heard_in_turn(bench_of: Any, hooks: Bench, **send: Any) -> None:
    async def work() -> None:
        handle, session = await bench_of.scripted(), bench_of.session()
        session.events = hooks.events
        session.models = ModelCalls(session.events, witness=session.witness)
        session.witness.begin_turn("Hello.")
        try:
            await handle.send(session, "Hello.", **send)
        except RuntimeFault:
            pass

    asyncio.run(work())


def test_a_scripted_turn_is_one_attempt() -> None:
    hook = Recorder()
    heard_in_turn(scripted_bench({"do": [{"call": {"tool": "clock"}}, {"call": {"tool": "clock"}}, {"say": "Nine."}]}), bench(hook))
    told = [fields for name, fields in hook.heard if name.endswith("api_request")]
    assert [fields.get("status") for fields in told] == [None, "ok"]
    assert {(fields["model"], fields["turn"], fields["messages"], fields["tools"]) for fields in told} == {("", 1, 1, 4)}


def test_a_scripted_turn_that_fails_and_a_debrief_are_told_as_such() -> None:
    hook = Recorder("post_api_request", "post_aux_request")
    heard_in_turn(scripted_bench({"when": "false", "do": []}), bench(hook))
    heard_in_turn(scripted_bench({"do": []}, debrief="All well."), bench(hook), purpose="debrief")
    (_, failed), (name, debriefed) = hook.heard
    assert (failed["status"], failed["error"].partition(":")[0]) == ("error", "RuntimeFault")
    assert (name, debriefed["status"], debriefed["aux_task"]) == ("post_aux_request", "ok", "debrief")


def test_every_attempt_at_an_endpoint_is_told_retries_included() -> None:
    hook = Recorder("post_api_request")
    busy = Answer(status=503, body={"error": {"message": "overloaded"}}, headers={"retry-after-ms": "0"})

    async def work(driven: Driven) -> str:
        return (await driven.handle.send(driven.session, "Hello.")).text

    answers = [busy, calls(tool_call("clock", {})), message("Nine.", usage=None)]
    assert drive(answers, work, heard=bench(hook), retries=1, headers={"X-Key": "not-for-hooks"}) == "Nine."
    assert [(f["status"], f["retry_count"], f["error"], f["usage"], f["finish_reason"]) for _, f in hook.heard] == [
        ("error", 0, "EndpointFault: answered status 503: overloaded", {}, ""),
        ("ok", 1, "", {"input_tokens": 11, "output_tokens": 7}, "tool_calls"),
        ("ok", 0, "", {}, "stop"),
    ]


def test_what_an_endpoint_says_of_its_key_is_hidden_from_hooks() -> None:
    hook = Recorder("post_api_request")

    async def work(driven: Driven) -> None:
        with pytest.raises(RuntimeFault):
            await driven.handle.send(driven.session, "Hello.")

    answer = Answer(status=401, body={"error": {"message": "bad key k-0123456789abcdef"}})
    drive([answer], work, heard=bench(hook), retries=0, api_key="k-0123456789abcdef")
    assert hook.heard[0][1]["error"] == "EndpointFault: answered status 401: bad key ***"
