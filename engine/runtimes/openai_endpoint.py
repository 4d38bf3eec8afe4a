"""Ask a Chat Completions endpoint and get an answer, or a fault that names the endpoint, the cause and the remedy."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...schemas.bounded import clean_text, describe_error
from ...schemas.codec import CodecFault, decode_foreign
from ..model_calls import LogicalCall, Stream
from ..session import Session
from .base import RuntimeFault
from .openai_address import Address
from .openai_faults import EndpointFault, is_transient, status_fault
from .openai_retry import LONGEST_WAIT_S, asked_wait, pause
from .openai_stream import read_stream
from .openai_wire import ModelReply, error_text, read_reply

if TYPE_CHECKING:
    import aiohttp

MOST_BYTES = 64 * 1024 * 1024
TOLD_CHARACTERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request's body, and how many messages and tools it carries."""

    payload: bytes
    messages: int
    tools: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What an address answered; ``refused`` is the fault of a status that is not 200, ``date`` the header."""

    body: bytes
    refused: EndpointFault | None
    status: int
    date: str


class Endpoint:
    """One client session, made at the first request and shared by all runs of a handle.

    ``streams``: requests ask for a stream, so that its pieces can be told when they come.
    """

    def __init__(self, address: Address, *, streams: bool = False) -> None:
        self.address = address
        self.streams = streams
        self._client: aiohttp.ClientSession | None = None
        self._closed = False

    async def ask(self, question: Question, session: Session, call: LogicalCall) -> ModelReply:
        """Send one request, again where that may help. Raises RuntimeFault; cancelled at any wait."""
        attempt = 1
        while True:
            try:
                return await call.attempt(
                    lambda: self._fetch(question.payload, session, call.stream),
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

    async def look(self, url: str) -> Looked:
        """GET an address beside the one that is asked, once. Raises EndpointFault where nothing answers."""
        import aiohttp

        client, address = self._open(), self.address
        try:
            async with client.get(url, headers=address.headers, proxy=address.proxy, allow_redirects=False) as answer:
                body = await _read_bounded(answer)
                refused = None if answer.status == 200 else _refused(answer, body, None)
                return Looked(body=body, refused=refused, status=answer.status, date=answer.headers.get("Date", ""))
        except TimeoutError:
            late = f"did not answer within timeout_s ({address.timeout_s:g} s)"
            raise EndpointFault(late, "look at the endpoint's load") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _broken(error, address) from None

    async def close(self) -> None:
        self._closed = True
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _wait(self, fault: EndpointFault, attempt: int, session: Session) -> float | None:
        if not fault.retry or attempt > self.address.retries:
            return None
        return pause(attempt, fault.wait_s, session.clock.random)

    async def _fetch(self, payload: bytes, session: Session, told: Stream) -> ModelReply:
        """One request and what its answer says; what goes wrong on the way becomes an EndpointFault."""
        import aiohttp

        client = self._open()
        try:
            async with client.post(
                self.address.url,
                data=payload,
                headers=self.address.headers,
                proxy=self.address.proxy,
                allow_redirects=False,
            ) as answer:
                return await self._read(answer, session, told)
        except TimeoutError:
            cause = f"did not answer within timeout_s ({self.address.timeout_s:g} s)"
            raise EndpointFault(cause, "raise timeout_s, or look at the endpoint's load", retry=True) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _broken(error, self.address) from None

    async def _read(self, answer: aiohttp.ClientResponse, session: Session, told: Stream) -> ModelReply:
        if answer.status != 200:
            body = await _read_bounded(answer)
            raise _refused(answer, body, asked_wait(answer.headers, session.clock.now()))
        if self.streams and "json" not in answer.content_type:  # an endpoint that cannot stream answers as ever
            return await read_stream(_bounded(answer), told)
        return read_reply(await _read_bounded(answer), answer.content_type)

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp

        if self._closed:
            raise RuntimeFault(f"endpoint {self.address.shown}: the agent was already given back")
        if self._client is None:
            self._client = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # --jobs bounds the requests
                cookie_jar=aiohttp.DummyCookieJar(),  # a cookie would carry one run's state into the next
                timeout=aiohttp.ClientTimeout(total=self.address.timeout_s),
                trust_env=False,  # proxies are chosen in openai_proxy.py, and .netrc is no business of ours
            )
        return self._client

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


async def _bounded(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The body as it comes, decompressed; one that goes on for ever is cut off, not swallowed."""
    size = 0
    async for chunk in answer.content.iter_any():
        size += len(chunk)
        if size > MOST_BYTES:
            answer.close()
            raise EndpointFault(
                f"answered with a body of more than {MOST_BYTES} bytes",
                "limit the reply, for example sampling.max_tokens",
            )
        yield chunk


async def _read_bounded(answer: aiohttp.ClientResponse) -> bytes:
    told = answer.content_length  # of the bytes on the wire: compressed ones may become any number
    if told is not None and told <= MOST_BYTES and "Content-Encoding" not in answer.headers:
        return await answer.read()
    return b"".join([chunk async for chunk in _bounded(answer)])


def _refused(answer: aiohttp.ClientResponse, body: bytes, wait_s: float | None) -> EndpointFault:
    if 300 <= answer.status < 400:
        return status_fault(answer.status, clean_text(answer.headers.get("Location", "nowhere"), 200), None)
    code = None
    try:
        data: Any = decode_foreign(body)
    except CodecFault:
        told = body[: 4 * TOLD_CHARACTERS].decode("utf-8", "replace")
    else:
        error = data.get("error", data) if isinstance(data, dict) else data
        code = error.get("code") if isinstance(error, dict) else None
        told = error_text(error)
    return status_fault(answer.status, told, wait_s, code)


def _broken(error: Exception, address: Address) -> EndpointFault:
    """The fault of a connection that could not be made, or broke."""
    import aiohttp

    through = f" through the proxy {urlsplit(address.proxy).netloc.rpartition('@')[2]}" if address.proxy else ""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        cause = f"cannot be reached{through}, which answered status {error.status}: {error.message}"
        return EndpointFault(cause, "look at the proxy, or name the host in no_proxy", retry=is_transient(error.status))
    if isinstance(error, aiohttp.ClientSSLError):
        cause = f"does not speak TLS that can be trusted{through}: {_why_unreachable(error)}"
        return EndpointFault(cause, "look at its certificate, and at the scheme in base_url")
    if "content-encoding" in str(error).lower():
        return EndpointFault("sent a Content-Encoding that cannot be undone", "look at what stands before the endpoint")
    if isinstance(error, aiohttp.ClientPayloadError):
        return EndpointFault("broke off in the middle of its answer", "look at the endpoint's log", retry=True)
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return EndpointFault(
            f"closed the connection{through} without an answer", "look at the endpoint's log", retry=True
        )
    if isinstance(error, aiohttp.ClientResponseError):
        return EndpointFault(f"did not speak HTTP{through}: {error.message}", "look at base_url: scheme and port")
    if isinstance(error, (aiohttp.ClientConnectionError, OSError)):
        cause = f"cannot be reached{through}: {_why_unreachable(error)}"
        return EndpointFault(cause, "is the endpoint running, and is base_url right?", retry=True)
    return EndpointFault(f"cannot be asked{through}: {describe_error(error)}", "look at base_url and headers")


def _why_unreachable(error: Exception) -> str:
    """The system's own words, without the client's around them."""
    inner = getattr(error, "os_error", error)
    return getattr(inner, "strerror", None) or describe_error(inner)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return clean_text(line if len(line) <= TOLD_CHARACTERS else f"{line[:TOLD_CHARACTERS]}…")
