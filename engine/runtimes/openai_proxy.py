"""Choose the proxy for an address: what the environment says, and never one for the loopback interface."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # public, not in typeshed


def proxy_for(url: str, env: Mapping[str, str]) -> str | None:
    """The proxy's address, or None. Lower-case variables win, as with every other tool."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host):
        return None
    proxies = {
        **{name[:-6].lower(): value for name, value in env.items() if name.lower().endswith("_proxy")},
        **{name[:-6]: value for name, value in env.items() if name.endswith("_proxy")},
    }
    chosen = proxies.get(parts.scheme) or proxies.get("all")
    if not chosen or proxy_bypass_environment(parts.netloc.rpartition("@")[2], proxies):
        return None
    return chosen if "://" in chosen else f"http://{chosen}"


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own, without asking any name server."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return _is_short_loopback(name)
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or mapped.is_unspecified


def _is_short_loopback(name: str) -> bool:
    """Forms that the resolver takes for an IPv4 address as well: ``127.1``, ``2130706433``."""
    try:
        return socket.inet_aton(name)[0] in (0, 127)
    except OSError:
        return False
