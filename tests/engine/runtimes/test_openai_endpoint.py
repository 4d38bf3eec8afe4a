"""Trouble at an endpoint: what is tried again, what is told, and what is never told."""

from __future__ import annotations

import asyncio
import gzip
import re
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from kit.drive import Driven, drive, openai_bench
from kit.endpoint import Answer, Endpoint, message
from windtunnel.engine.clock import SeededClock
from windtunnel.engine.runtimes.base import Reply, RuntimeFault
from windtunnel.engine.runtimes.openai_client import MOST_BYTES
from windtunnel.schemas.secrets import Secrets

OK = message("Hi.")
BUSY = Answer(status=503, body={"error": {"message": "overloaded"}})
KEY = "sk-0123456789abcdef"


class PatientClock(SeededClock):
    """Remembers what was slept."""

    def __init__(self) -> None:
        super().__init__("patient")
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await super().sleep(seconds)


def attempts(*answers: Answer, **settings: Any) -> tuple[str, int, list[float]]:
    """The reply or the fault of one turn, how many requests were made, and the waits between them."""
    clock = PatientClock()

    async def work(driven: Driven) -> tuple[str, int, list[float]]:
        session = replace(driven.session, clock=clock)
        try:
            text = (await driven.handle.send(session, "Hello.")).text
        except RuntimeFault as fault:
            text = str(fault)
        return _without_port(text), len(driven.endpoint.requests), clock.slept

    return drive(list(answers), work, **settings)


def _without_port(text: str) -> str:
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)


def fault_of(*answers: Answer, **settings: Any) -> str:
    """The text of the fault, tried once."""
    return attempts(*answers, retries=0, **settings)[0]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_transient_statuses_are_tried_again(status: int) -> None:
    text, requests, waits = attempts(Answer(status=status, body=b"busy"), Answer(status=status), OK)
    assert (text, requests, len(waits)) == ("Hi.", 3, 2)
    assert 0.25 <= waits[0] <= 0.5
    assert 0.5 <= waits[1] <= 1.0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 422])
def test_other_statuses_are_not_tried_again(status: int) -> None:
    text, requests, _ = attempts(Answer(status=status, body=b"no"), OK)
    assert requests == 1
    assert text.startswith(f"endpoint 127.0.0.1:PORT answered status {status}: no; ")


def test_connections_that_break_are_tried_again() -> None:
    broken = (Answer(hang_up=True), replace(OK, cut_at=20))
    assert attempts(*broken, OK)[:2] == ("Hi.", 3)


def test_a_request_over_its_time_is_tried_again() -> None:
    assert attempts(Answer(hold=True), OK, timeout_s=0.3)[:2] == ("Hi.", 2)


def test_retries_end_with_the_number_of_attempts() -> None:
    text, requests, _ = attempts(BUSY, retries=2)
    assert requests == 3
    assert text == (
        "endpoint 127.0.0.1:PORT answered status 503: overloaded (3 attempts); "
        "the endpoint is in trouble: look at its log, or raise retries"
    )


def test_three_retries_are_the_default() -> None:
    assert attempts(BUSY)[1] == 4


def test_the_wait_that_is_asked_for_is_waited() -> None:
    limited = Answer(status=429, headers={"Retry-After": "7"})
    text, _, (wait,) = attempts(limited, OK)
    assert text == "Hi."
    assert 7 <= wait <= 7.25


def test_a_wait_until_a_date_is_read_against_the_endpoints_own_clock() -> None:
    dates = {"Date": "Mon, 02 Mar 2026 08:00:00 GMT", "Retry-After": "Mon, 02 Mar 2026 08:00:05 GMT"}
    _, _, (wait,) = attempts(Answer(status=503, headers=dates), OK)
    assert 5 <= wait <= 5.25


def test_a_wait_that_is_too_long_is_told_at_once() -> None:
    text, requests, waits = attempts(Answer(status=429, headers={"Retry-After": "3600"}, body=b"limit"), OK)
    assert (requests, waits) == (1, [])
    assert text == (
        "endpoint 127.0.0.1:PORT answered status 429: limit; it asks for a wait of 3600 s, "
        "longer than the 60 s we wait; run fewer at once (--jobs), or raise retries"
    )


def test_a_used_up_quota_is_not_tried_again() -> None:
    spent = Answer(status=429, body={"error": {"message": "You exceeded your quota.", "code": "insufficient_quota"}})
    text, requests, _ = attempts(spent, OK)
    assert requests == 1
    assert text == (
        "endpoint 127.0.0.1:PORT answered status 429: You exceeded your quota.; the account has no quota left"
    )


def test_an_error_with_status_200_is_tried_again_where_its_code_says_so() -> None:
    assert attempts(Answer(body={"error": {"message": "later", "code": 502}}), OK)[:2] == ("Hi.", 2)
    text, requests, _ = attempts(Answer(body={"error": {"message": "no such model", "type": "invalid"}}), OK)
    assert requests == 1
    assert text == (
        "endpoint 127.0.0.1:PORT answered status 200 with an error: no such model; "
        "the endpoint's own message says what to do"
    )


def test_a_turn_that_is_cancelled_while_it_waits_asks_no_more() -> None:
    class Forever(SeededClock):
        async def sleep(self, seconds: float) -> None:
            await asyncio.Event().wait()

    async def work(driven: Driven) -> int:
        session = replace(driven.session, clock=Forever("forever"))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(driven.handle.send(session, "Hello."), 0.3)
        return len(driven.endpoint.requests)

    assert drive([BUSY, OK], work) == 1


def test_a_cancelled_request_is_taken_back() -> None:
    async def work(driven: Driven) -> int:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(driven.handle.send(driven.session, "Hello."), 0.3)
        for _ in range(100):
            if driven.endpoint.abandoned:
                break
            await asyncio.sleep(0.02)
        return driven.endpoint.abandoned

    assert drive([Answer(hold=True)], work) == 1


REMEDIES: list[tuple[Answer, str]] = [
    (
        Answer(status=401, body={"error": {"message": "Incorrect API key provided: " + KEY}}),
        "answered status 401: Incorrect API key provided: ***; "
        "look at api_key: is the variable set, and is it this endpoint's key?",
    ),
    (
        Answer(status=404, body={"detail": "Not Found"}),
        "answered status 404: Not Found; look at base_url (it often ends in /v1) and at model",
    ),
    (
        Answer(status=400, body={"error": "unknown field"}),
        "answered status 400: unknown field; the endpoint does not take this request: "
        "look at model, sampling and whether it knows tools",
    ),
    (
        Answer(status=400, body={"error": {"message": "request (9031 tokens) exceeds the available context size"}}),
        "answered status 400: request (9031 tokens) exceeds the available context size; it does not fit the model: "
        "serve the model with a larger context, or ask for shorter replies with sampling.max_tokens "
        "(--sampling max_tokens=256)",
    ),
    (Answer(status=418, body=b""), "answered status 418; look at base_url"),
    (
        Answer(status=307, headers={"Location": "https://elsewhere.example/v1"}),
        "answered status 307, a redirect to https://elsewhere.example/v1; set base_url to where it leads",
    ),
    (
        Answer(body=b"<html>\n<body>Please log in</body>", content_type="text/html"),
        "answered status 200 with a body of 33 bytes that cannot be read (not JSON: Expecting value: line 1 column 1 "
        "(char 0)); it begins: <html> <body>Please log in</body>; "
        "base_url must be the root of a Chat Completions API (it often ends in /v1)",
    ),
    (
        Answer(body=b'{"choices": [{"message": {"content": "Hel'),
        "answered status 200 with a body of 41 bytes that cannot be read (not JSON: Unterminated string starting at: "
        'line 1 column 38 (char 37)); it begins: {"choices": [{"message": {"content": "Hel; '
        "its answer is cut or broken: look at its log",
    ),
    (
        Answer(body=b"no gzip", headers={"Content-Encoding": "gzip"}),
        "sent a Content-Encoding that cannot be undone; look at what stands before the endpoint",
    ),
    (Answer(hang_up=True), "closed the connection without an answer; look at the endpoint's log"),
    (replace(OK, cut_at=20), "broke off in the middle of its answer; look at the endpoint's log"),
    (
        Answer(body={"choices": []}),
        "answered without any choice; ask the endpoint's log why the model gave none",
    ),
]


@pytest.mark.parametrize(("answer", "text"), REMEDIES)
def test_a_fault_names_endpoint_cause_and_remedy(answer: Answer, text: str) -> None:
    assert fault_of(answer, api_key=KEY) == f"endpoint 127.0.0.1:PORT {text}"


def test_the_time_that_was_over_is_named() -> None:
    assert fault_of(Answer(hold=True), timeout_s=0.2) == (
        "endpoint 127.0.0.1:PORT did not answer within timeout_s (0.2 s); "
        "raise timeout_s, or look at the endpoint's load"
    )


def test_a_body_without_end_is_not_swallowed() -> None:
    text = fault_of(Answer(body=b" " * (MOST_BYTES + 1)))
    assert text == (
        f"endpoint 127.0.0.1:PORT answered with a body of more than {MOST_BYTES} bytes; "
        "limit the reply, for example sampling.max_tokens"
    )


def test_a_small_body_that_unpacks_without_end_is_not_swallowed() -> None:
    packed = gzip.compress(b" " * (MOST_BYTES + 1), compresslevel=1)
    assert "a body of more than" in fault_of(Answer(body=packed, headers={"Content-Encoding": "gzip"}))


def test_a_long_error_body_is_cut() -> None:
    text = fault_of(Answer(status=500, body=b"x" * 10_000_000))
    assert len(text) < 700
    assert "xxx…;" in text


def test_an_endpoint_that_is_not_there_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        text = _fault_at(f"http://127.0.0.1:{port}/v1", retries=0)
    assert text.startswith(f"endpoint 127.0.0.1:{port} cannot be reached: ")
    assert text.endswith("; is the endpoint running, and is base_url right?")


def test_what_does_not_speak_http_is_named() -> None:
    with RawServer(b"SSH-2.0-OpenSSH_9.6\r\n\r\n") as port:
        text = _fault_at(f"http://127.0.0.1:{port}/v1", retries=0)
    assert text.startswith(f"endpoint 127.0.0.1:{port} did not speak HTTP: ")
    assert text.endswith("; look at base_url: scheme and port")


class RawServer:
    """Answers every connection with the same bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._socket = socket.create_server(("127.0.0.1", 0))

    def __enter__(self) -> int:
        threading.Thread(target=self._serve, daemon=True).start()
        port: int = self._socket.getsockname()[1]
        return port

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                connection.sendall(self._data)


def _fault_at(base_url: str, *, env: Mapping[str, str] | None = None, **settings: Any) -> str:
    async def work() -> str:
        bench = openai_bench(base_url, **settings)
        bench.env = env or {}
        try:
            handle = await bench.openai()
        except RuntimeFault as fault:
            return str(fault)
        try:
            return (await handle.send(bench.session(), "Hello.")).text
        except RuntimeFault as fault:
            return str(fault)
        finally:
            await handle.teardown()

    return asyncio.run(work())


@pytest.mark.parametrize(
    "base_url",
    [
        "",
        "127.0.0.1:8080/v1",
        "ftp://example/v1",
        "http://",
        "http://[::1/v1",
        "http://x:99999/v1",
        "localhost",
        "http://exa mple/v1",
    ],
)
def test_what_is_no_address_is_named_before_anything_is_sent(base_url: str) -> None:
    assert _fault_at(base_url) == (
        f"base_url {base_url!r} is not an address of an endpoint; write it like http://127.0.0.1:8080/v1"
    )


@pytest.mark.parametrize("key", ["abc\r\nX-Evil: 1", "abcdefgh\n", " abcdefgh", "ab\x00cdefgh", "abc\ud800"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    assert _fault_at("http://127.0.0.1:9/v1", api_key=key) == (
        "api_key holds a character that a header cannot carry, or a space at its end; "
        "look for a line end in the variable or file that it comes from"
    )


def test_a_header_of_a_bad_name_is_refused() -> None:
    assert (
        _fault_at("http://127.0.0.1:9/v1", headers={"X Team": "a"}) == "headers: 'X Team' is not the name of a header"
    )


def test_a_header_that_belongs_to_the_request_is_refused() -> None:
    assert _fault_at("http://127.0.0.1:9/v1", headers={"Content-Length": "5"}) == (
        "headers.Content-Length belongs to the request itself; take it out of headers"
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": KEY},
        {"headers": {"api-key": KEY}},
        {"headers": {"Authorization": f"Basic {KEY}"}},
        {"headers": {"X-Auth-Token": KEY}},
    ],
)
@pytest.mark.parametrize("make", [lambda text: text, lambda text: "x" * 490 + text])
def test_no_credential_is_told_in_a_fault(settings: dict[str, Any], make: Callable[[str], str]) -> None:
    for status in (200, 401, 500):
        text = fault_of(Answer(status=status, body={"error": {"message": make(KEY)}}), **settings)
        assert KEY not in text
        assert KEY[:6] not in text


def test_a_declared_secret_is_masked_in_faults_prompts_and_turns() -> None:
    secrets = Secrets()
    secrets.add("DESK_SECRET", "open-sesame-1")

    async def work(driven: Driven) -> tuple[list[Any], str]:
        session = replace(driven.session, secrets=secrets)
        await driven.handle.send(session, "The word is open-sesame-1.")
        with pytest.raises(RuntimeFault) as caught:
            await driven.handle.send(session, "Again.")
        return driven.endpoint.requests[0].messages, str(caught.value)

    answers = [OK, Answer(status=400, body=b"you said open-sesame-1")]
    messages, fault = drive(answers, work, system_prompt="Guard open-sesame-1.")
    assert [each["content"] for each in messages] == ["Guard ***.", "The word is ***."]
    assert "you said ***" in fault


def test_no_cookie_of_one_session_reaches_another() -> None:
    async def work(driven: Driven) -> list[str | None]:
        for n in range(2):
            await driven.handle.send(openai_bench("unused").session(run_number=n), "Hello.")
        return [request.headers.get("Cookie") for request in driven.endpoint.requests]

    assert drive([replace(OK, headers={"Set-Cookie": "run=1; Path=/"})], work) == [None, None]


def test_a_proxy_from_the_environment_is_never_used_for_loopback() -> None:
    with Endpoint([OK]) as endpoint, Endpoint([message("I am the proxy.")]) as proxy:
        env = {"http_proxy": proxy.root, "ALL_PROXY": proxy.root}
        assert _fault_at(endpoint.base_url, env=env) == "Hi."
        assert proxy.requests == []


def test_a_proxy_from_the_environment_is_used_for_other_addresses() -> None:
    with Endpoint([message("I am the proxy.")]) as proxy:
        assert _fault_at("http://model.example/v1", env={"http_proxy": proxy.root}) == "I am the proxy."
        assert [request.headers["Host"] for request in proxy.requests] == ["model.example"]


def test_a_proxy_that_cannot_be_reached_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        proxy = f"http://user:word@127.0.0.1:{free.getsockname()[1]}"
        text = _fault_at("http://model.example/v1", env={"http_proxy": proxy}, retries=0)
    assert text.startswith("endpoint model.example cannot be reached through the proxy 127.0.0.1:")
    assert "word" not in text


def test_a_proxy_that_refuses_is_named() -> None:
    with Endpoint([message("I am the proxy.")]) as proxy:
        text = _fault_at("https://model.example/v1", env={"https_proxy": proxy.root}, retries=0)
    assert _without_port(text) == (
        "endpoint model.example cannot be reached through the proxy 127.0.0.1:PORT, "
        "which answered status 404: Not Found; look at the proxy, or name the host in no_proxy"
    )


def test_a_proxy_of_a_kind_that_is_not_spoken_is_named_before_anything_is_sent() -> None:
    assert _fault_at("http://model.example/v1", env={"all_proxy": "socks5://127.0.0.1:1080"}) == (
        "the environment names a proxy of the kind 'socks5', and only http is spoken; "
        "name model.example in no_proxy, or set http_proxy to an http proxy"
    )


def test_an_endpoint_without_tls_is_named() -> None:
    with Endpoint([OK]) as endpoint:
        text = _fault_at(f"https://127.0.0.1:{endpoint.port}/v1", retries=0)
    assert text.startswith(f"endpoint 127.0.0.1:{endpoint.port} does not speak TLS that can be trusted: ")
    assert text.endswith("; look at its certificate, and at the scheme in base_url")


def test_a_login_in_the_address_is_used_and_stands_alone() -> None:
    with Endpoint([OK]) as endpoint:
        base_url = f"http://desk:open-sesame@127.0.0.1:{endpoint.port}/v1"
        assert _fault_at(base_url) == "Hi."
        assert endpoint.requests[0].headers["Authorization"] == "Basic ZGVzazpvcGVuLXNlc2FtZQ=="
        assert _fault_at(base_url, api_key=KEY) == (
            "base_url holds a login, and there is an api_key or Authorization header too; keep one of them"
        )


def test_environment_variables_that_are_set_later_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with Endpoint([OK]) as endpoint:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        assert _fault_at(endpoint.base_url) == "Hi."


def test_one_client_serves_all_turns_over_one_connection() -> None:
    async def work(driven: Driven) -> Reply:
        for _ in range(3):
            reply = await driven.handle.send(driven.session, "Hello.")
        await driven.handle.teardown()
        await driven.handle.teardown()
        return reply

    assert drive([OK], work).text == "Hi."


def test_a_request_is_strict_json() -> None:
    async def work(driven: Driven) -> str:
        with pytest.raises(RuntimeFault) as caught:
            await driven.handle.send(driven.session, "Hello.")
        return str(caught.value)

    assert drive([OK], work, sampling={"temperature": float("nan")}) == (
        "agents.careful: the request temperature: nan is not a JSON number; look at model and sampling"
    )
