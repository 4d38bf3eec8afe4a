"""Where an endpoint is and how it is spoken to, read from an agent's settings and checked before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ...schemas.bounded import clean_text
from .base import RuntimeFault
from .openai_proxy import proxy_for

TIMEOUT_S = 120.0  # longer than a turn has by default: the turn's deadline is to decide
RETRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where an endpoint is and how it is spoken to. ``hidden`` are the texts that no message may show."""

    url: str
    headers: Mapping[str, str]
    timeout_s: float
    retries: int
    proxy: str | None
    hidden: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Host and port, without credentials, path or query."""
        return urlsplit(self.url).netloc.rpartition("@")[2]


def read_address(settings: Mapping[str, Any], env: Mapping[str, str]) -> Address:
    """The address that an agent's settings name. Raises RuntimeFault."""
    url = chat_url(str(settings["base_url"]))
    headers = _headers(settings)
    if "@" in urlsplit(url).netloc and any(name.lower() == "authorization" for name in headers):
        raise RuntimeFault(
            "base_url holds a login, and there is an api_key or Authorization header too; keep one of them"
        )
    return Address(
        url=url,
        headers=headers,
        timeout_s=float(settings.get("timeout_s", TIMEOUT_S)),
        retries=int(settings.get("retries", RETRIES)),
        proxy=_proxy(url, env),
        hidden=_hidden_texts(url, headers),
    )


def _headers(settings: Mapping[str, Any]) -> dict[str, str]:
    """What goes with every request; the agent's own headers win, however they are written."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    key = str(settings.get("api_key") or "")
    if key:
        _check_header("Authorization", key, "api_key")
        headers["Authorization"] = f"Bearer {key}"
    for name, value in dict(settings.get("headers") or {}).items():
        _check_header(str(name), str(value), f"headers.{name}")
        headers = {known: text for known, text in headers.items() if known.lower() != str(name).lower()}
        headers[str(name)] = str(value)
    return headers


def _proxy(url: str, env: Mapping[str, str]) -> str | None:
    proxy = proxy_for(url, env)
    kind = urlsplit(proxy).scheme if proxy else "http"
    if kind not in ("http", "https"):
        raise RuntimeFault(
            f"the environment names a proxy of the kind {clean_text(kind, 20)!r}, and only http is spoken; "
            f"name {urlsplit(url).hostname} in no_proxy, or set {urlsplit(url).scheme}_proxy to an http proxy"
        )
    return proxy


def chat_url(base_url: str) -> str:
    """``<base_url>/chat/completions``; a query (``?api-version=...``) stays at the end."""
    try:
        parts = urlsplit(base_url.strip())
        sound = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and not _BLANK.search(base_url.strip())
        )
    except ValueError:
        sound = False
    if not sound:
        raise RuntimeFault(
            f"base_url {_without_secrets(base_url)!r} is not an address of an endpoint; "
            "write it like http://127.0.0.1:8080/v1"
        )
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/chat/completions", parts.query, ""))


def _without_secrets(base_url: str) -> str:
    """What was written for an address, without what may be a login or, in a query, a key: however badly it is put."""
    before, at, after = base_url.rpartition("@")
    scheme = re.match(r"[a-z]+:?//", before)
    shown = f"{scheme[0] if scheme else ''}***@{after}" if at else base_url
    place, query, _ = shown.partition("?")
    return clean_text(f"{place}?***" if query else place, 100)


_BLANK = re.compile(r"[\s\x00-\x1f]")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_OURS = ("content-length", "content-encoding", "transfer-encoding", "connection")
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\x80-\ud7ff\ue000-\U0010ffff]*\Z")


def _check_header(name: str, value: str, key: str) -> None:
    """A line end in a header would end it; the value is not shown, it may be a secret."""
    if not _HEADER_NAME.match(name):
        raise RuntimeFault(f"headers: {clean_text(name, 60)!r} is not the name of a header")
    if name.lower() in _OURS:
        raise RuntimeFault(f"{key} belongs to the request itself; take it out of headers")
    if not _HEADER_VALUE.match(value) or value != value.strip():
        raise RuntimeFault(
            f"{key} holds a character that a header cannot carry, or a space at its end; "
            f"look for a line end in the variable or file that it comes from"
        )


_AUTHORISES = re.compile(r"auth|key|token|secret|cookie|password|credential", re.IGNORECASE)


def _hidden_texts(url: str, headers: Mapping[str, str]) -> tuple[str, ...]:
    """Credentials as they stand in headers and address, longest first; words like ``none`` are no credentials."""
    found = {
        word for name, value in headers.items() if _AUTHORISES.search(name) for word in (value, value.split(" ")[-1])
    }
    parts = urlsplit(url)
    found.update(
        (parts.password or "", *(pair.partition("=")[2] for pair in parts.query.split("&") if _AUTHORISES.search(pair)))
    )
    return tuple(sorted((text for text in found if len(text) > 4), key=len, reverse=True))
