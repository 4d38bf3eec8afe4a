"""Answers as endpoints really send them: read where they can be understood, named where they cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.engine.runtimes.openai_faults import EndpointFault
from windtunnel.engine.runtimes.openai_wire import AskedCall, ModelReply, read_reply
from windtunnel.schemas.records import Usage


def read(**members: Any) -> ModelReply:
    """Read an answer whose message has these members."""
    return read_reply(json.dumps({"choices": [{"message": members}]}).encode())


def fault_of(body: bytes | Any, content_type: str = "application/json") -> str:
    """The text of the fault that a body makes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with pytest.raises(EndpointFault) as caught:
        read_reply(data, content_type)
    return f"{caught.value.cause}; {caught.value.remedy}"


ROOT = "base_url must be the root of a Chat Completions API (it often ends in /v1)"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Hello.", "Hello."),
        (None, ""),
        ("", ""),
        ([], ""),
        ([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo."}], "Hello."),
        (["Hel", "lo."], "Hello."),
        ([{"type": "output_text", "text": {"value": "Hello."}}], "Hello."),
        (
            [
                {"type": "thinking", "text": "hm"},
                {"type": "image_url", "image_url": {}},
                7,
                None,
                {"type": "text", "text": 3},
            ],
            "",
        ),
        ([{"type": "refusal", "refusal": "No."}], "No."),
        ({"type": "text", "text": "Hello."}, "Hello."),
        ({"city": "Lisbon"}, '{"city":"Lisbon"}'),
        (42, "42"),
        (True, "true"),
    ],
)
def test_content_of_every_shape_becomes_text(content: Any, text: str) -> None:
    assert read(content=content).text == text


def test_a_message_without_content_is_an_empty_reply() -> None:
    assert read() == ModelReply(text="")


def test_a_refusal_stands_where_the_content_is_empty() -> None:
    assert read(content=None, refusal="I cannot.") == ModelReply(text="I cannot.", finish_reason="refusal")
    assert read(content="Yes.", refusal="I cannot.").text == "Yes."
    assert read(content=None, refusal=7).text == ""


def test_a_finish_reason_is_kept_as_it_came_and_left_out_where_it_is_no_text() -> None:
    def finish(reason: Any) -> str:
        return read_reply(json.dumps({"choices": [{"message": {}, "finish_reason": reason}]}).encode()).finish_reason

    reasons: tuple[Any, ...] = ("length", None, 3, {}, "x" * 99)
    assert [finish(reason) for reason in reasons] == ["length", "", "", "", "x" * 64]


def test_calls_are_read_in_order_with_their_arguments_untouched() -> None:
    reply = read(
        content=None,
        tool_calls=[
            {"id": "a", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}},
            {"id": None, "function": {"name": "find", "arguments": {"q": 1}}},
            {"id": 7, "name": "flat", "arguments": ""},
            {"function": {"name": None}},
        ],
    )
    assert reply.calls == (
        AskedCall(id="a", name="find", arguments='{"q": 1}'),
        AskedCall(id="", name="find", arguments={"q": 1}),
        AskedCall(id="", name="flat", arguments=""),
        AskedCall(id="", name="", arguments=None),
    )


@pytest.mark.parametrize("nothing", [None, [], {}, "", 0])
def test_no_calls_are_no_calls_however_it_is_written(nothing: Any) -> None:
    assert read(content="Hello.", tool_calls=nothing).calls == ()


def test_one_call_outside_a_list_is_a_call() -> None:
    assert read(tool_calls={"id": "a", "function": {"name": "find", "arguments": "{}"}}).calls[0].name == "find"


def test_a_legacy_function_call_is_a_call() -> None:
    reply = read(content=None, function_call={"name": "find", "arguments": "{}"})
    assert reply.calls == (AskedCall(id="", name="find", arguments="{}", legacy=True),)
    assert read(content="Hello.", function_call=None).calls == ()
    assert read(content="Hello.", function_call="find").calls == ()


def test_a_flood_of_calls_is_a_fault() -> None:
    entries = [{"id": str(n), "function": {"name": "find", "arguments": "{}"}} for n in range(129)]
    assert fault_of({"choices": [{"message": {"tool_calls": entries}}]}) == (
        "asked for 129 tool calls in one answer; at most 128 are carried out; "
        "limit parallel calls, for example with sampling.parallel_tool_calls: false"
    )


@pytest.mark.parametrize(
    ("usage", "found"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 4}, Usage(input_tokens=3, output_tokens=4)),
        ({"prompt_tokens": 3.0, "completion_tokens": 0}, Usage(input_tokens=3, output_tokens=0)),
        ({"prompt_tokens": 3}, None),
        ({"prompt_tokens": 3, "completion_tokens": None}, None),
        ({"prompt_tokens": "3", "completion_tokens": 4}, None),
        ({"prompt_tokens": True, "completion_tokens": 4}, None),
        ({"prompt_tokens": -1, "completion_tokens": 4}, None),
        ({"prompt_tokens": float("nan"), "completion_tokens": 4}, None),
        ({"prompt_tokens": float("inf"), "completion_tokens": 4}, None),
        ({"prompt_tokens": 2.5, "completion_tokens": 4}, None),
        ({"prompt_tokens": 10**30, "completion_tokens": 4}, None),
        (None, None),
        ([], None),
        ("3", None),
    ],
)
def test_usage_counts_only_where_both_numbers_are_told(usage: Any, found: Usage | None) -> None:
    assert read_reply(json.dumps({"choices": [{"message": {}}], "usage": usage}).encode()).usage == found


def test_a_number_of_5000_digits_is_no_count_and_no_fault() -> None:
    body = b'{"choices": [{"message": {"content": "Hello."}}], "usage": {"prompt_tokens": %s}}' % (b"9" * 5000)
    assert read_reply(body) == ModelReply(text="Hello.")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"", f"answered status 200 with an empty body; {ROOT}"),
        (b" \n", f"answered status 200 with an empty body; {ROOT}"),
        ([], f"answered status 200 with a list where an object is due; {ROOT}"),
        ("hello", f"answered status 200 with text where an object is due; {ROOT}"),
        (b"null", f"answered status 200 with null or missing where an object is due; {ROOT}"),
        ({}, f"answered with null or missing where its first choice is due; {ROOT}"),
        ({"choices": []}, "answered without any choice; ask the endpoint's log why the model gave none"),
        ({"choices": {}}, f"answered with an object where its first choice is due; {ROOT}"),
        ({"choices": [3]}, f"answered with a number where its first choice is due; {ROOT}"),
        ({"choices": [{"message": None}]}, f"answered a choice whose message is null or missing; {ROOT}"),
        ({"choices": [{"text": "Hello."}]}, f"answered a choice whose message is null or missing; {ROOT}"),
        ({"choices": [{"message": "Hello."}]}, f"answered a choice whose message is text; {ROOT}"),
        (
            {"choices": [{"message": {"tool_calls": ["find"]}}]},
            f"asked for a tool call (tool_calls[0]) that is text; {ROOT}",
        ),
    ],
)
def test_what_is_no_answer_is_named(body: Any, text: str) -> None:
    assert fault_of(body) == text


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"message": "no such model"}, ": no such model"),
        ({"message": "slow down", "code": 429}, " (code 429): slow down"),
        ({"error": {"detail": "inner"}}, ": inner"),
        ({"message": None, "kind": "odd"}, ': {"message":null,"kind":"odd"}'),
        ("plain", ": plain"),
        (["a", 1], ': ["a",1]'),
        (True, ": true"),
    ],
)
def test_an_error_with_status_200_is_a_fault_with_its_message(error: Any, told: str) -> None:
    shown = f"answered status 200 with an error{told}; the endpoint's own message says what to do"
    assert fault_of({"error": error}) == shown
    assert fault_of({"choices": [{"message": None, "error": error}]}) == shown


@pytest.mark.parametrize(
    ("code", "again"), [(429, True), (502, True), (400, False), ("429", False), (None, False), (True, False)]
)
def test_an_error_with_status_200_is_tried_again_by_its_code(code: Any, again: bool) -> None:
    with pytest.raises(EndpointFault) as caught:
        read_reply(json.dumps({"error": {"message": "x", "code": code}}).encode())
    assert caught.value.retry is again


def test_a_body_that_is_not_json_is_quoted_from_its_beginning() -> None:
    assert fault_of(b"<html><title>Login</title></html>") == (
        "answered status 200 with a body of 33 bytes that cannot be read "
        "(not JSON: Expecting value: line 1 column 1 (char 0)); it begins: <html><title>Login</title></html>; " + ROOT
    )


def test_a_stream_is_named() -> None:
    assert fault_of(b'data: {"choices": []}\n\n', "text/event-stream") == (
        "answered with a stream, which was not asked for; turn streaming off at the endpoint"
    )


def test_endless_nesting_is_a_fault_and_not_a_crash() -> None:
    assert "cannot be read" in fault_of(b'{"choices": ' + b"[" * 100_000)


def test_bytes_that_are_no_utf8_and_a_byte_order_mark_do_not_lose_the_answer() -> None:
    assert read_reply(b'\xef\xbb\xbf{"choices": [{"message": {"content": "caf\xe9"}}]}').text == "caf\ufffd"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("content", "tool_calls", "function_call", "refusal", "function", "name", "arguments", "id", "type", "text")


@given(
    message=st.dictionaries(st.sampled_from(KEYS), JSON, max_size=4) | JSON,
    rest=st.dictionaries(st.sampled_from(("usage", "error", "choices")), JSON, max_size=2),
)
def test_wrong_types_anywhere_give_a_reply_or_a_named_fault(message: Any, rest: dict[str, Any]) -> None:
    body = {"choices": [{"message": message, "finish_reason": message}], **rest}
    try:
        reply = read_reply(json.dumps(body).encode())
    except EndpointFault as fault:
        told = (fault.cause, fault.remedy)
    else:
        told = (f"a reply: {reply.text}", "nothing to do")
    assert all(told)


@given(st.binary(max_size=200))
def test_no_body_breaks_the_reading(body: bytes) -> None:
    with pytest.raises(EndpointFault):
        read_reply(body)
