"""The base of hooks that tell a whole run at its end: it keeps every call event in the log of its run."""

from __future__ import annotations

from typing import Any

from .run_log import RunLogs


class CallLog:
    """Hears every call but the pieces of streams. Its events are ``async``: they take no thread, and wait for nothing.

    Those of streams come off the path, in order, and are told on the thread of their queue.
    """

    def __init__(self) -> None:
        self._logs = RunLogs()

    async def pre_tool_call(self, **event: Any) -> None:
        self._logs.begin("pre_tool_call", "tool", event["tool_call_id"], event)

    async def post_tool_call(self, **event: Any) -> None:
        self._logs.end("post_tool_call", "tool", event["tool_call_id"], event)

    async def pre_api_request(self, **event: Any) -> None:
        self._logs.begin("pre_api_request", "model", event["request_id"], event)

    async def post_api_request(self, **event: Any) -> None:
        self._logs.end("post_api_request", "model", event["request_id"], event)

    async def pre_aux_request(self, **event: Any) -> None:
        self._logs.begin("pre_aux_request", "aux", event["request_id"], event)

    async def post_aux_request(self, **event: Any) -> None:
        self._logs.end("post_aux_request", "aux", event["request_id"], event)

    def on_stream_start(self, **event: Any) -> None:
        self._logs.begin("on_stream_start", "stream", event["request_id"], event)

    def on_stream_end(self, **event: Any) -> None:
        self._logs.end("on_stream_end", "stream", event["request_id"], event)
