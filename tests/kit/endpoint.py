"""A real Chat Completions server on loopback that answers from a list and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from aiohttp import web


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer. ``body`` is sent as JSON unless it is bytes; ``cut_at`` breaks the connection after so many bytes.

    ``pieces`` are sent one by one, without a length. ``hang_up`` closes the connection without a word; ``hold`` waits for the endpoint to be closed (after the pieces, where there are any).
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay_s: float = 0.0
    cut_at: int | None = None
    hang_up: bool = False
    hold: bool = False
    pieces: tuple[bytes, ...] = ()

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.body["messages"]
        return found


Script = Callable[[Request], Answer]


def message(content: Any = None, *, finish_reason: Any = "stop", usage: Any = (11, 7), **members: Any) -> Answer:
    """A sound answer with one choice. ``usage``: a pair is both counts, None leaves it out, else it is sent so."""
    said = {"role": "assistant", "content": content, **members}
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": said, "finish_reason": finish_reason}],
    }
    if isinstance(usage, tuple):
        usage = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    if usage is not None:
        body["usage"] = usage
    return Answer(body=body)


def tool_call(name: str, arguments: Any, call_id: Any = "call_1") -> dict[str, Any]:
    """One entry of ``tool_calls``; a dict of arguments is written as JSON text."""
    text = json.dumps(arguments) if isinstance(arguments, dict) else arguments
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}


def calls(*entries: dict[str, Any], content: Any = None, **members: Any) -> Answer:
    """A sound answer that asks for tool calls."""
    return message(content, finish_reason="tool_calls", tool_calls=list(entries), **members)


def chunk(delta: dict[str, Any] | None = None, *, finish_reason: str | None = None, **members: Any) -> bytes:
    """One event of a stream: a choice with this delta, or (None) the members alone."""
    body: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], **members}
    if delta is not None:
        body["choices"] = [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
    return f"data: {json.dumps(body)}\n\n".encode()


DONE = b"data: [DONE]\n\n"


def stream(*pieces: bytes, **keys: Any) -> Answer:
    """An answer that comes in pieces; they are sent as they are."""
    return Answer(pieces=pieces, content_type="text/event-stream", **keys)


def said(*texts: str, finish_reason: str = "stop", usage: tuple[int, int] | None = (11, 7), **keys: Any) -> Answer:
    """A sound stream of these texts."""
    pieces = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": text}) for text in texts)]
    pieces.append(chunk({}, finish_reason=finish_reason))
    if usage is not None:
        pieces.append(chunk(usage={"prompt_tokens": usage[0], "completion_tokens": usage[1]}))
    return stream(*pieces, DONE, **keys)


class Endpoint:
    """Serves while its ``with`` block lasts, on a thread of its own; the last answer is repeated."""

    def __init__(self, answers: Iterable[Answer] | Script) -> None:
        self.requests: list[Request] = []
        self.abandoned = 0
        self.most_at_once = 0
        self._at_once = 0
        self._answers = answers if callable(answers) else list(answers)
        self._loop = asyncio.new_event_loop()
        self._released = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._runner: web.AppRunner | None = None
        self.port = 0

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.root}/v1"

    def __enter__(self) -> Endpoint:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _stop(self) -> None:
        self._released.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        asked = Request(path=request.path_qs, headers=dict(request.headers), body=json.loads(text) if text else {})
        self.requests.append(asked)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._reply(request, self._choose(asked))
        except asyncio.CancelledError:
            self.abandoned += 1
            raise
        finally:
            self._at_once -= 1

    def _choose(self, asked: Request) -> Answer:
        if callable(self._answers):
            return self._answers(asked)
        return self._answers[min(len(self.requests), len(self._answers)) - 1]

    async def _reply(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        if answer.delay_s:
            await asyncio.sleep(answer.delay_s)
        if answer.hold and not answer.pieces:
            await self._released.wait()
        if answer.hang_up or (answer.hold and not answer.pieces):
            _break(request)
            return web.Response()
        data = answer.data
        response = web.StreamResponse(status=answer.status, headers=dict(answer.headers))
        response.content_type = answer.content_type
        if answer.pieces:
            return await self._stream(request, response, answer)
        response.content_length = len(data)
        await response.prepare(request)
        await response.write(data[: answer.cut_at])
        if answer.cut_at is not None:
            _break(request)
        return response

    async def _stream(self, request: web.Request, response: web.StreamResponse, answer: Answer) -> web.StreamResponse:
        response.enable_chunked_encoding()
        await response.prepare(request)
        for piece in answer.pieces:
            await response.write(piece)
            await asyncio.sleep(0)  # let it go out by itself
        if answer.hold:
            await self._released.wait()
        if answer.cut_at is not None:
            _break(request)
        return response


def _break(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.close()
