"""What can be wrong with one attempt at an endpoint, whether it may be tried again, and what the user can do."""

from __future__ import annotations

import re
from typing import Any


class EndpointFault(Exception):
    """One attempt failed. ``wait_s`` is what the endpoint asked to wait, None where it did not."""

    def __init__(self, cause: str, remedy: str, *, retry: bool = False, wait_s: float | None = None) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy
        self.retry = retry
        self.wait_s = wait_s


def is_transient(status: int) -> bool:
    """Whether the same request may succeed a little later."""
    return status in (408, 429) or status >= 500


_REMEDIES = {
    400: "the endpoint does not take this request: look at model, sampling and whether it knows tools",
    401: "look at api_key: is the variable set, and is it this endpoint's key?",
    403: "look at api_key: may it use this model?",
    404: "look at base_url (it often ends in /v1) and at model",
    407: "the proxy from the environment asks for a login",
    413: "the conversation is too large for this endpoint",
    422: "the endpoint does not take this request: look at model, sampling and whether it knows tools",
    429: "run fewer at once (--jobs), or raise retries",
}


_TOO_LONG = re.compile(r"context|max_tokens|max_completion_tokens|too (long|many tokens)", re.IGNORECASE)
_SHORTEN = (
    "it does not fit the model: serve the model with a larger context, or ask for shorter replies with "
    "sampling.max_tokens (--sampling max_tokens=256)"
)


def status_fault(status: int, told: str, wait_s: float | None, code: Any = None) -> EndpointFault:
    """The fault of an answer that is not 200; ``told`` is the endpoint's own message."""
    if 300 <= status < 400:
        return EndpointFault(f"answered status {status}, a redirect to {told}", "set base_url to where it leads")
    shown = f": {told}" if told else ""
    if code == "insufficient_quota":
        return EndpointFault(f"answered status {status}{shown}", "the account has no quota left")
    remedy = _SHORTEN if status in (400, 413, 422) and _TOO_LONG.search(told) else _REMEDIES.get(status)
    if remedy is None:
        remedy = (
            "the endpoint is in trouble: look at its log, or raise retries" if status >= 500 else "look at base_url"
        )
    return EndpointFault(f"answered status {status}{shown}", remedy, retry=is_transient(status), wait_s=wait_s)
