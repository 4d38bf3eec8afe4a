"""Ask an address for state: one GET, within its time and size."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ...schemas.bounded import clean_text, describe_error
from ...schemas.hook_documents import StateProbeSpec
from ..in_time import Late, in_time
from .json_state import MOST_BYTES, json_state
from .snapshot import StateProbeFault


class UrlProbe:
    """Asks directly: what is looked at stands beside the agent, and a proxy would answer from its own memory."""

    def __init__(self, spec: StateProbeSpec) -> None:
        self._spec = spec
        self._parts = urlsplit(spec.url)
        self._who = f"the address {clean_text(f'{self._parts.scheme}://{self._parts.netloc}{self._parts.path}', 120)}"

    def capture_state(self) -> Mapping[str, Any]:
        """What the address answers. Raises StateProbeFault."""
        try:
            status, body = in_time(self._get, self._spec.timeout_s)
        except (Late, TimeoutError):
            late = f"{self._who} did not answer within {self._spec.timeout_s:g} s"
            raise StateProbeFault(f"{late}; look at its load, or raise state_probe.timeout_s (at most 120)") from None
        except (OSError, http.client.HTTPException, ValueError, RuntimeError) as error:
            why = getattr(error, "strerror", None) or describe_error(error)
            raise StateProbeFault(f"{self._who} cannot be asked: {why}; is it running, and is the url right?") from None
        if status != http.client.OK:
            raise StateProbeFault(f"{self._who} answered status {status}; it has to answer 200 with the state itself")
        return json_state(body, self._who, "answered with")

    def _get(self) -> tuple[int, bytes]:
        parts, seconds = self._parts, self._spec.timeout_s
        host = parts.hostname or ""
        if parts.scheme == "https":
            context = ssl.create_default_context()
            asked: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, parts.port, timeout=seconds, context=context
            )
        else:
            asked = http.client.HTTPConnection(host, parts.port, timeout=seconds)
        try:
            path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
            asked.request("GET", path, headers={"Accept": "application/json", "Connection": "close"})
            with asked.getresponse() as answer:  # it owns the socket from here on
                return answer.status, answer.read(MOST_BYTES + 1)
        finally:
            asked.close()
