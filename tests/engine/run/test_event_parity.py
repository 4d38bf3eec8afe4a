"""EVENTS says what is sent: payloads recorded from real runs have the fields of the samples, and values of their kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from kit.observed import RECORDED, everything
from windtunnel.hooks.events import CALL_EVENTS, EVENTS

RECORDER = "kit.observed:RECORDER"
KINDS: Mapping[type, Any] = {str: str, int: int, float: int | float, dict: dict, list: list, type(None): object}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[dict[str, Any]]]:
    """Every event with what was sent: of an agent behind an endpoint, then of a scripted one."""
    found: dict[str, list[dict[str, Any]]] = {}
    for agent in ("careful", "plain"):
        with everything(tmp_path_factory.mktemp(agent), "debrief", RECORDER, agent=agent) as result:
            assert result.exit_code == 0, [each.reason for each in result.aggregates]
        for event, payloads in RECORDED.items():
            found.setdefault(event, []).extend(payloads)
    return found


def test_every_event_happens(recorded: Mapping[str, Any]) -> None:
    assert sorted(recorded) == sorted(EVENTS)


@pytest.mark.parametrize("event", EVENTS.values(), ids=lambda event: str(event.name))
def test_the_fields_are_those_of_the_sample(recorded: Mapping[str, list[dict[str, Any]]], event: Any) -> None:
    for payload in recorded[event.name]:
        assert sorted(payload) == sorted(event.sample)
        for field, sample in event.sample.items():
            assert isinstance(payload[field], KINDS[type(sample)]), field
            assert type(payload[field]) is not bool
        if event.name in CALL_EVENTS:
            assert payload[event.identity]


def test_what_a_dict_of_a_sample_holds_is_what_is_sent(recorded: Mapping[str, list[dict[str, Any]]]) -> None:
    for event, field in (("post_api_request", "usage"), ("post_aux_request", "usage"), ("guard_tool_call", "agent"),
                         ("guard_tool_call", "tool")):
        keys = {tuple(payload[field]) for payload in recorded[event] if payload[field]}
        assert keys == {tuple(EVENTS[event].sample[field])}


@pytest.mark.parametrize(("event", "field", "values"), [
    ("post_tool_call", "status", {"ok", "error", "blocked"}),
    ("post_api_request", "status", {"ok", "error"}),
    ("post_api_request", "retry_count", {0, 1}),
    ("post_aux_request", "aux_task", {"simulated_user", "llm_rubric", "debrief"}),
    ("on_stream_end", "status", {"ok"}),
])
def test_the_run_goes_through_what_can_happen(
    recorded: Mapping[str, list[dict[str, Any]]], event: str, field: str, values: set[object]
) -> None:
    assert {payload[field] for payload in recorded[event]} == values


@pytest.mark.parametrize(("pre", "post", "identity"), [
    ("pre_tool_call", "post_tool_call", "tool_call_id"), ("pre_api_request", "post_api_request", "request_id"),
    ("pre_aux_request", "post_aux_request", "request_id"), ("on_stream_start", "on_stream_end", "request_id"),
])
def test_each_beginning_has_one_end_that_repeats_it(
    recorded: Mapping[str, list[dict[str, Any]]], pre: str, post: str, identity: str
) -> None:
    ends = {payload[identity]: payload for payload in recorded[post]}
    assert len(ends) == len(recorded[post]) == len(recorded[pre])
    for began in recorded[pre]:
        ended = ends[began[identity]]
        assert {key: ended[key] for key in began if key != "at_ms"} == {key: began[key] for key in began if key != "at_ms"}
        assert ended["at_ms"] >= began["at_ms"]
