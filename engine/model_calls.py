"""The one funnel of model calls: every physical attempt passes here, the agent's own and those of its helpers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

from ..hooks.containment import describe
from ..schemas.records import Usage
from .call_events import SILENT, CallEvents
from .witness import Witness

T = TypeVar("T")
Purpose = Literal["turn", "debrief"]

MOST_ERROR_CHARS = 2000
DELTA_CHARS = 2000
API = ("pre_api_request", "post_api_request")
AUX = ("pre_aux_request", "post_aux_request")


class ModelCalls:
    """The model calls of one session. ``aux_task`` "": they are the agent's own, except those of a debrief."""

    def __init__(
        self,
        events: CallEvents = SILENT,
        *,
        aux_task: str = "",
        parent: tuple[str, str] | None = None,
        witness: Witness | None = None,
    ) -> None:
        """``parent``: run id and session id that a helper works for; left out, it is the session itself.

        ``witness`` tells the turn that a call of the agent's own belongs to.
        """
        self.events = events
        self.aux_task = aux_task
        self._parent = (events.origin.run_id, events.origin.session_id) if parent is None else parent
        self._witness = witness

    def helper(self, *, agent: str, session_id: str, aux_task: str) -> ModelCalls:
        """The calls of a helper (a judge, a simulated user) that works for this session."""
        events = self.events.session(agent=agent, session_id=session_id)
        return ModelCalls(events, aux_task=aux_task, parent=self._parent)

    def begin(self, model: str, *, purpose: Purpose = "turn") -> LogicalCall:
        """A call that may take several attempts. Begin one for each question to the model."""
        if self.events.silent:
            return LogicalCall(self.events, API, {})
        task = self.aux_task or ("debrief" if purpose == "debrief" else "")
        known: dict[str, Any] = {"model": model}
        if task:
            parent_run, parent_session = self._parent
            known |= {"aux_task": task, "parent_run_id": parent_run, "parent_session_id": parent_session}
            known["aux_id"] = self.events.mint("aux")
        else:
            turn = self._witness.turn if self._witness is not None else 0
            known |= {"call_id": self.events.mint("llm"), "turn": turn}
        return LogicalCall(self.events, AUX if task else API, known)


class LogicalCall:
    """One question to a model, however many attempts it takes. Attempts follow one another.

    ``stream`` is that of the attempt under way: a runtime that is sent pieces tells it of each.
    """

    def __init__(self, events: CallEvents, pair: tuple[str, str], known: Mapping[str, Any]) -> None:
        self._events = events
        self._pair = pair
        self._known = known
        self.stream = Stream(events, "")

    async def attempt(
        self,
        send: Callable[[], Awaitable[T]],
        *,
        retry_count: int = 0,
        messages: int = 0,
        tools: int = 0,
        tell_error: Callable[[str], str] = str,
    ) -> T:
        """Make one physical attempt: return what ``send`` returns, or raise the very exception that it raises.

        ``usage`` (a Usage or None) and ``finish_reason`` are read off the result where it has them. ``messages`` and
        ``tools`` are counts. ``tell_error`` may take out of an error's text what nobody must see.
        """
        if self._events.silent:
            return await send()
        request_id = self._events.mint("req")
        self.stream = Stream(self._events, request_id)
        fields = {**self._known, "request_id": request_id, "retry_count": retry_count, "messages": messages}
        if self._pair is API:
            fields["tools"] = tools

        def after(result: T | None, error: BaseException | None, seconds: float) -> dict[str, Any]:
            told = {"error": self._told(error, tell_error), "duration_ms": round(seconds * 1000, 3)}
            return {**fields, **_outcome(result, error), **told}

        async def sent() -> T:
            try:
                return await send()
            except BaseException as error:
                self.stream.end(_status(error))
                raise

        return await self._events.around(self._pair, sent, before=lambda: fields, after=after)

    def _told(self, error: BaseException | None, tell_error: Callable[[str], str]) -> str:
        """``Type: text``, masked before it is cut: a cut must not leave half a secret."""
        if error is None:
            return ""
        return self._events.mask(tell_error(describe(error, 8 * MOST_ERROR_CHARS)))[:MOST_ERROR_CHARS]


class Stream:
    """Tells hooks, off the path, of the pieces that one attempt is sent. Without a start, nothing else is told."""

    def __init__(self, events: CallEvents, request_id: str) -> None:
        self._events = events
        self._request_id = request_id
        self._open = False
        self._pieces = 0
        self._held = ""

    def start(self) -> None:
        """The endpoint has begun to answer in pieces. Told once."""
        if not self._open and self._request_id:
            self._open = True
            self._events.post("on_stream_start", lambda: {"request_id": self._request_id})

    def delta(self, text: str) -> None:
        """A piece of the reply's text. Its end is held back while it may be the beginning of a secret."""
        if self._open and text and self._events.wants("on_stream_delta"):
            text = self._held + text
            cut = len(text) - self._events.unfinished(text)
            self._held = text[cut:]
            self._tell(text[:cut])

    def end(self, status: str = "ok") -> None:
        """The last piece has come, or none will: ``error``, ``cancelled``. Told once."""
        if self._open:
            self._tell(self._held)
            self._open = False
            told = {"request_id": self._request_id, "status": status, "chunks": self._pieces}
            self._events.post("on_stream_end", lambda: told)

    def _tell(self, text: str) -> None:
        """Tell the text, in several pieces where it is large."""
        text = self._events.mask(text)
        for at in range(0, len(text), DELTA_CHARS):
            told = {"request_id": self._request_id, "index": self._pieces, "text": text[at : at + DELTA_CHARS]}
            self._pieces += 1
            self._events.post("on_stream_delta", partial(dict, told))


def _status(error: BaseException | None) -> str:
    if error is None:
        return "ok"
    return "cancelled" if isinstance(error, asyncio.CancelledError | GeneratorExit) else "error"


def _outcome(result: object, error: BaseException | None) -> dict[str, Any]:
    usage, finish = getattr(result, "usage", None), getattr(result, "finish_reason", "")
    counts: dict[str, int] = {}
    if isinstance(usage, Usage):
        counts = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return {"status": _status(error), "usage": counts, "finish_reason": finish if isinstance(finish, str) else ""}


UNHEARD = ModelCalls()
"""The model calls of a session that no hook observes."""
