"""Ask a Chat Completions endpoint and get an answer, or a fault that names the endpoint, the cause and the remedy."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...schemas.bounded import clean_text
from ..model_calls import LogicalCall, Stream
from ..session import Session
from .base import RuntimeFault
from .openai_address import Address
from .openai_client import TOLD_CHARACTERS, Client, bounded, read_bounded, refusal
from .openai_faults import EndpointFault
from .openai_retry import LONGEST_WAIT_S, asked_wait, pause
from .openai_stream import read_stream
from .openai_wire import ModelReply, read_reply

if TYPE_CHECKING:
    from .openai_client import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request's body, and how many messages and tools it carries."""

    payload: bytes
    messages: int
    tools: int


class Endpoint:
    """``streams``: requests ask for a stream, so that its pieces can be told when they come."""

    def __init__(self, address: Address, *, streams: bool = False) -> None:
        self.address = address
        self.streams = streams
        self._client = Client(address)

    async def ask(self, question: Question, session: Session, call: LogicalCall) -> ModelReply:
        """Send one request, again where that may help. Raises RuntimeFault; cancelled at any wait."""
        attempt = 1

        def send() -> Awaitable[ModelReply]:
            return self._client.post(question.payload, lambda answer: self._read(answer, session, call.stream))

        while True:
            try:
                return await call.attempt(
                    send,
                    retry_count=attempt - 1,
                    messages=question.messages,
                    tools=question.tools,
                    tell_error=lambda text: self._mask(text, session),
                )
            except EndpointFault as fault:
                wait_s = self._wait(fault, attempt, session)
                if wait_s is None:
                    raise RuntimeFault(self._tell(fault, attempt, session)) from None
            await session.clock.sleep(wait_s)
            attempt += 1

    async def close(self) -> None:
        await self._client.close()

    def _wait(self, fault: EndpointFault, attempt: int, session: Session) -> float | None:
        if not fault.retry or attempt > self.address.retries:
            return None
        return pause(attempt, fault.wait_s, session.clock.random)

    async def _read(self, answer: Answer, session: Session, told: Stream) -> ModelReply:
        if answer.status != 200:
            body = await read_bounded(answer)
            raise refusal(answer, body, asked_wait(answer.headers, session.clock.now()))
        if self.streams and "json" not in answer.content_type:  # an endpoint that cannot stream answers as ever
            return await read_stream(bounded(answer), told)
        return read_reply(await read_bounded(answer), answer.content_type)

    def _tell(self, fault: EndpointFault, attempts: int, session: Session) -> str:
        tried = f" ({attempts} attempts)" if attempts > 1 else ""
        if fault.retry and fault.wait_s is not None and fault.wait_s > LONGEST_WAIT_S:
            tried = f"{tried}; it asks for a wait of {fault.wait_s:g} s, longer than the {LONGEST_WAIT_S:g} s we wait"
        cause = _one_line(self._mask(fault.cause, session))  # masked first: a cut must not leave half a secret
        return f"endpoint {self.address.shown} {cause}{tried}; {fault.remedy}"

    def _mask(self, text: str, session: Session) -> str:
        """Take out what must not be shown: declared secrets, and whatever the headers authorise with."""
        text = session.secrets.mask(text)
        for hidden in self.address.hidden:
            text = text.replace(hidden, "***")
        return text


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return clean_text(line if len(line) <= TOLD_CHARACTERS else f"{line[:TOLD_CHARACTERS]}…")
