"""The one module that talks HTTP: one client session an endpoint, bounded bodies, and every trouble a named fault."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from ...schemas.bounded import clean_text, describe_error
from ...schemas.codec import CodecFault, decode_foreign
from .base import RuntimeFault
from .openai_address import Address
from .openai_faults import EndpointFault, is_transient, status_fault
from .openai_wire import error_text

if TYPE_CHECKING:
    import aiohttp

    Answer: TypeAlias = aiohttp.ClientResponse

T = TypeVar("T")

MOST_BYTES = 64 * 1024 * 1024
TOLD_CHARACTERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What an address answered; ``refused`` is the fault of a status that is not 200, ``date`` the header."""

    body: bytes
    refused: EndpointFault | None
    status: int
    date: str


class Client:
    """One client session, made at the first request and shared by all runs of a handle."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def post(self, payload: bytes, read: Callable[[Answer], Awaitable[T]]) -> T:
        """Send one request and return what ``read`` makes of its answer. Raises EndpointFault."""
        import aiohttp

        client, address = self._open(), self._address
        try:
            async with client.post(
                address.url, data=payload, headers=address.headers, proxy=address.proxy, allow_redirects=False
            ) as answer:
                return await read(answer)
        except TimeoutError:
            cause = f"did not answer within timeout_s ({address.timeout_s:g} s)"
            raise EndpointFault(cause, "raise timeout_s, or look at the endpoint's load", retry=True) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _broken(error, address) from None

    async def get(self, url: str) -> Looked:
        """GET an address beside the one that is asked, once. Raises EndpointFault where nothing answers."""
        import aiohttp

        client, address = self._open(), self._address
        try:
            async with client.get(url, headers=address.headers, proxy=address.proxy, allow_redirects=False) as answer:
                body = await read_bounded(answer)
                refused = None if answer.status == 200 else refusal(answer, body, None)
                return Looked(body=body, refused=refused, status=answer.status, date=answer.headers.get("Date", ""))
        except TimeoutError:
            late = f"did not answer within timeout_s ({address.timeout_s:g} s)"
            raise EndpointFault(late, "look at the endpoint's load") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _broken(error, address) from None

    async def close(self) -> None:
        self._closed = True
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp

        if self._closed:
            raise RuntimeFault(f"endpoint {self._address.shown}: the agent was already given back")
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # --jobs bounds the requests
                cookie_jar=aiohttp.DummyCookieJar(),  # a cookie would carry one run's state into the next
                timeout=aiohttp.ClientTimeout(total=self._address.timeout_s),
                trust_env=False,  # proxies are chosen in openai_proxy.py, and .netrc is no business of ours
            )
        return self._session


async def bounded(answer: Answer) -> AsyncIterator[bytes]:
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


async def read_bounded(answer: Answer) -> bytes:
    told = answer.content_length  # of the bytes on the wire: compressed ones may become any number
    if told is not None and told <= MOST_BYTES and "Content-Encoding" not in answer.headers:
        return await answer.read()
    return b"".join([chunk async for chunk in bounded(answer)])


def refusal(answer: Answer, body: bytes, wait_s: float | None) -> EndpointFault:
    """The fault of an answer whose status is not 200."""
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
