"""Ask a Chat Completions endpoint for its models: does it answer, and does it know the one that is meant?"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ...schemas.bounded import clean_text
from ...schemas.codec import CodecFault, decode_foreign
from .base import ResolvedAgent, RuntimeFault
from .openai_address import Address, read_address
from .openai_client import Client
from .openai_faults import EndpointFault
from .reach import Reached

CHAT = "/chat/completions"
MOST_MODELS = 10_000
LISTS_NOTHING = (404, 405, 501)


async def reach(agent: ResolvedAgent) -> Reached:
    """Raises RuntimeFault, which names endpoint, cause and remedy; a key that is refused is one as well."""
    address = read_address(agent.settings, agent.env)
    client = Client(address)
    try:
        looked = await client.get(models_url(address.url))
    except EndpointFault as fault:
        raise _told(address, fault) from None
    finally:
        await client.close()
    if looked.refused is not None and looked.status not in LISTS_NOTHING:
        raise _told(address, looked.refused)
    models = None if looked.refused is not None else _ids(looked.body)
    return Reached(shown=address.shown, models=models, date=_date(looked.date))


def models_url(chat_url: str) -> str:
    """``<base_url>/models``; a query stays at the end."""
    parts = urlsplit(chat_url)
    return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.removesuffix(CHAT)}/models", parts.query, ""))


def forced(settings: Mapping[str, Any], tool: str) -> Mapping[str, Any]:
    """One request in which the tool has to be called."""
    sampling = {**dict(settings.get("sampling") or {}), "tool_choice": {"type": "function", "function": {"name": tool}}}
    return {**settings, "sampling": sampling, "max_steps": 1}


def _told(address: Address, fault: EndpointFault) -> RuntimeFault:
    cause = " ".join(fault.cause.split())
    for hidden in address.hidden:
        cause = cause.replace(hidden, "***")
    return RuntimeFault(f"endpoint {address.shown} {clean_text(cause, 500)}; {fault.remedy}")


def _ids(body: bytes) -> tuple[str, ...] | None:
    """The ids in ``data`` (or in ``models``, as some write it); None for an answer of another shape."""
    try:
        found: Any = decode_foreign(body)
    except CodecFault:
        return None
    if isinstance(found, dict):
        found = found.get("data", found.get("models"))
    if not isinstance(found, list):
        return None
    named = [each.get("id", each.get("name")) if isinstance(each, dict) else each for each in found[:MOST_MODELS]]
    return tuple(clean_text(name, 200) for name in named if isinstance(name, str))


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return found if found.tzinfo is not None else None
