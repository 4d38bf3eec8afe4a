"""Turn what a session is shown into hashed segments, in the order in which a model would meet them.

The hash is over the whole value, cleaned and masked: a change after the millionth character is a change, and two runs
with different secrets have one hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import UNSET, canonical, to_plain
from ...schemas.errors import CodecFault
from ...schemas.secrets import Secrets
from ...schemas.surfaces import Segment, Surface

FIRST = ("system_prompt", "tools", "guards", "sampling")
SEVERAL = {"tools": "tool", "guards": "guard"}
NAME_CHARS = 200
LIMIT_BYTES = 16 << 20
"""Of one segment. Nothing that is shown to a model comes near; a longer value is cut, and tells its length."""


def surface_of(shown: Mapping[str, Any], secrets: Secrets, *, store_text: bool = False) -> Surface:
    """``shown`` as the stage gathers it: ``tools``, ``guards``, and what the runtime tells."""
    segments: list[Segment] = []
    taken: set[str] = set()
    for name, value in _parts(shown):
        text, unique = _text(value, secrets), _unique(clean_text(_clean(name, secrets), NAME_CHARS), taken)
        segments.append(Segment(
            name=unique, sha256=sha256_of_text(text), chars=len(text), text=text if store_text else UNSET
        ))
    return Surface(sha256=sha256_of(segments), segments=segments)


def sha256_of(segments: Sequence[Segment]) -> str:
    """The hash of a whole surface: over the pairs of name and hash, in order, as canonical JSON."""
    return hashlib.sha256(canonical([[segment.name, segment.sha256] for segment in segments])).hexdigest()


def sha256_of_text(text: str) -> str:
    """The hash of one segment."""
    return hashlib.sha256(text.encode()).hexdigest()


def _parts(shown: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The segments by name; where several are listed under one key, one each."""
    known = [name for name in FIRST if name in shown]
    for key in (*known, *sorted((name for name in shown if name not in FIRST), key=str)):
        value = shown[key]
        if key in SEVERAL and isinstance(value, list | tuple):
            yield from ((f"{SEVERAL[key]}:{_name_of(item, n)}", item) for n, item in enumerate(value, 1))
        else:
            yield key, value


def _name_of(item: Any, number: int) -> Any:
    """By the name that a definition carries, also within ``function`` as Chat Completions have it; else by number."""
    if isinstance(item, Mapping):
        inner = item.get("function")
        return item.get("name") or (inner.get("name") if isinstance(inner, Mapping) else None) or number
    return getattr(item, "name", number)


def _text(value: Any, secrets: Secrets) -> str:
    clean = _clean(value, secrets)
    return clean if isinstance(clean, str) else canonical(clean).decode()


def _clean(value: Any, secrets: Secrets) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        try:
            value = to_plain(value)
        except CodecFault:
            pass  # the closer look lives with whatever it is
    return secrets.mask_value(clean_value(value, LIMIT_BYTES))


def _unique(name: str, taken: set[str]) -> str:
    """Segments are told apart by name, so that no two of a surface have one."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found
