"""Turn what a hook emits into strict JSON, or say which place inside it JSON cannot hold."""

from __future__ import annotations

import math
import re
from typing import Any

from ..schemas.codec import encode
from ..schemas.problems import KeyPath, dotted

MOST_BYTES = 1 << 20
MOST_DEPTH = 64
_LABEL = re.compile(r"[a-z0-9_-]{1,48}\Z")
_SHOWN_PATH = 200


class ArtifactError(ValueError):
    """A payload or label that cannot become a file. The text names the path inside the payload."""


def check_label(label: object) -> str | None:
    """Return the label as given (None: no label). Raises ArtifactError."""
    if label is None:
        return None
    if not isinstance(label, str) or not _LABEL.match(label) or label == "pack":
        shown = repr(label)[:60]
        raise ArtifactError(
            f"label {shown} is not usable: a label is 1 to 48 of a-z, 0-9, _ and -, and not 'pack'"
        )
    return str(label)


def encode_payload(payload: object) -> bytes:
    """Return the payload as strict JSON. Raises ArtifactError, naming the path inside the payload.

    What is returned is a copy: the hook may go on using its payload.
    """
    data = encode(_Copier().copy(payload, ("payload",)))
    if len(data) > MOST_BYTES:
        raise ArtifactError(_too_large(f"{len(data):,} bytes"))
    return data


class _Copier:
    """Copies plain data member by member, with a budget: shared parts cannot grow without end."""

    def __init__(self) -> None:
        self._left = MOST_BYTES
        self._above: set[int] = set()

    def copy(self, value: object, path: KeyPath) -> Any:
        if value is None or isinstance(value, bool):
            self._spend(4)
            return value
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, int | float):
            return self._number(value, path)
        if isinstance(value, dict | list | tuple):
            return self._members(value, path)
        remedy = "give text, numbers, true, false, null, lists and objects"
        raise _fault(path, f"is {_kind(value)}, which JSON does not have", remedy)

    def _members(self, value: dict[Any, Any] | list[Any] | tuple[Any, ...], path: KeyPath) -> Any:
        if id(value) in self._above:
            raise _fault(path, "contains itself", "emit a copy without the cycle")
        if len(self._above) >= MOST_DEPTH:
            raise _fault(path, f"is nested deeper than {MOST_DEPTH}", "flatten it")
        self._above.add(id(value))
        self._spend(2)
        copied: Any
        if isinstance(value, dict):
            copied = {self._key(key, path): self.copy(item, (*path, key)) for key, item in value.items()}
        else:
            copied = [self.copy(item, (*path, index)) for index, item in enumerate(value)]
        self._above.discard(id(value))
        return copied

    def _key(self, key: object, path: KeyPath) -> str:
        if not isinstance(key, str):
            raise _fault(path, f"has a key that is {_kind(key)}", "keys are text")
        return self._text(key, path)

    def _text(self, value: str, path: KeyPath) -> str:
        self._spend(len(value) + 2)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _fault(path, "holds a lone surrogate", "encode with errors='replace' first") from None
        return str.__str__(value)

    def _number(self, value: int | float, path: KeyPath) -> int | float:
        self._spend(1)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise _fault(path, f"is {float(value)}, which JSON does not have", "use null or text")
            return float(value)
        if not -(1 << 63) <= value < 1 << 64:
            raise _fault(path, "is a whole number of more than 64 bits", "emit it as text")
        return int(value)

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ArtifactError(_too_large("more"))


def _fault(path: KeyPath, what: str, remedy: str) -> ArtifactError:
    shown = dotted(path)
    if len(shown) > _SHOWN_PATH:
        shown = f"{shown[:_SHOWN_PATH]}…"
    return ArtifactError(f"{shown}: {what}; {remedy}")


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _too_large(size: str) -> str:
    return f"payload: an artifact is at most {MOST_BYTES:,} bytes of JSON, this is {size}; emit less"
