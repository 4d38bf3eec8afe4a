"""EVENTS is the only place that knows an event: its fields, what tells its calls apart, and its deadline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .contract import Event

LIFECYCLE_TIMEOUT_S = 300.0

_RUN_ID = "5f0c1e9a7b3d4c2e8a6f1b0d9c7e5a3f"
_SESSION_ID = "0b7e4d1c9a2f4e6b8d3c5a7f1e9b2d4c"
_REQUEST_ID = "req-2f8b4c6d1e7a4b3c9d5f0a8e6b1c3d7f"


def lifecycle_event(name: str) -> Event:
    """A point of a skeleton as an event, one of its own included.

    It sends ``ctx``, a HookContext made for each callback (``PerHook``), so that there is nothing to copy. A firing
    that belongs to no run sends a token of its own as ``run_id``: batches may end at once, and must all be heard (D3).
    """
    sample = {"ctx": None, "run_id": _RUN_ID}
    return Event(name, sample, identity="run_id", timeout_s=LIFECYCLE_TIMEOUT_S, copied=False)


_ORIGIN: dict[str, Any] = {
    "run_id": _RUN_ID,
    "session_id": _SESSION_ID,
    "pack": "support_desk",
    "scenario": "lookup_before_answer",
    "agent": "careful",
    "at_ms": 12.5,  # since the run began, on the run's own clock
}
"""What every call event sends. Ids are "" where there is no run."""

_TOOL: dict[str, Any] = _ORIGIN | {
    "tool_call_id": "call-7d3e9f1a5c2b4d8e9a6f0c1b3e5d7a9f",
    "provider_call_id": "call_1",
    "turn": 1,
    "name": "client_lookup",
    "effect": "read",
    "args": {"query": "Bluewing"},
}
_TOOL_END: dict[str, Any] = {
    "status": "ok",  # ok, error, blocked (a guard refused), cancelled
    "result": '[{"id":"C-7","email":"ops@bluewing.example"}]',
    "error": "",
    "duration_ms": 1.25,
}
_ATTEMPT: dict[str, Any] = _ORIGIN | {"request_id": _REQUEST_ID, "retry_count": 0, "model": "gpt-4.1-mini"}
_API: dict[str, Any] = _ATTEMPT | {
    "call_id": "llm-6a1f3c5e7b9d4f2a8c0e1d3b5f7a9c2e",
    "turn": 1,
    "messages": 2,
    "tools": 3,
}
_AUX: dict[str, Any] = _ATTEMPT | {
    "aux_id": "aux-9c7a5e3d1b0f4c2e8d6a7b9f1e3c5d0a",
    "aux_task": "llm_rubric",  # llm_rubric, simulated_user, debrief
    "agent": "judge",
    "messages": 2,
    "parent_run_id": _RUN_ID,
    "parent_session_id": "3d5f7a9c1e2b4d6f8a0c9e7b5d3f1a2c",
}
_ATTEMPT_END: dict[str, Any] = {
    "status": "ok",  # ok, error, cancelled
    "error": "",
    "usage": {"input_tokens": 412, "output_tokens": 36},  # {} where the endpoint did not tell
    "finish_reason": "stop",
    "duration_ms": 840.5,
}
_STREAM: dict[str, Any] = _ORIGIN | {"request_id": _REQUEST_ID}


def _tool(name: str, sample: Mapping[str, Any]) -> Event:
    return Event(name, sample, identity="tool_call_id")


def _attempt(name: str, sample: Mapping[str, Any]) -> Event:
    return Event(name, sample, identity="request_id")


CALL_EVENTS: Mapping[str, Event] = {
    event.name: event
    for event in (
        _tool("pre_tool_call", _TOOL),
        _tool("post_tool_call", _TOOL | _TOOL_END),
        _attempt("pre_api_request", _API),
        _attempt("post_api_request", _API | _ATTEMPT_END),
        _attempt("pre_aux_request", _AUX),
        _attempt("post_aux_request", _AUX | _ATTEMPT_END),
        _attempt("on_stream_start", _STREAM),
        _attempt("on_stream_delta", _STREAM | {"index": 0, "text": "It is "}),
        _attempt("on_stream_end", _STREAM | {"status": "ok", "chunks": 9}),
    )
}
"""What hooks may observe of calls. They are answered by nobody, and a hook that fails is skipped."""

GUARD_EVENT = Event(
    "guard_tool_call",
    {
        "run_id": _RUN_ID,
        "session_id": _SESSION_ID,
        "tool_call_id": _TOOL["tool_call_id"],
        "agent": {"id": "careful", "model": "gpt-4.1-mini"},
        "tool": {"name": "client_lookup", "effect": "read", "description": "Find a client by name."},
        "args": {"query": "Bluewing"},
        "turns": [],
        "calls": [],
        "last_user_turn": "What is the email on file?",
        "world": {"outbox": []},
    },
    policy=True,
    identity="tool_call_id",
)
"""What guards decide on, in the shapes of expressions: they are part of the agent, and no hook ever hears it."""

EVENTS: Mapping[str, Event] = {
    event.name: event
    for event in (
        lifecycle_event("on_provisioned"),
        lifecycle_event("on_run_start"),
        lifecycle_event("on_run_scored"),
        lifecycle_event("on_run_end"),
        lifecycle_event("on_scenario_end"),
        lifecycle_event("on_pack_end"),
        *CALL_EVENTS.values(),
        GUARD_EVENT,
    )
}
