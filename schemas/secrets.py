"""A secret never shows: what ``secret(env.NAME)`` read is masked where evidence is witnessed and text is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from .errors import UsageFault

MASK = "***"
SHORTEST = 8
CUT = "… [cut,"


class Secrets:
    """The secrets of one process; longer ones are masked first, so that none shows through a shorter one inside it."""

    def __init__(self) -> None:
        self._values: tuple[str, ...] = ()
        self._numbers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self._values)

    @property
    def size(self) -> int:
        """How many forms are masked: it grows with every secret, so that what was masked before is known for that."""
        return len(self._values)

    def add(self, name: str, value: str) -> None:
        """Mask ``value`` from now on. A value so short that masking would eat ordinary words is a UsageFault."""
        if len(value) < SHORTEST:
            raise UsageFault(
                f"the secret in variable {name} has {len(value)} characters: a secret needs at least {SHORTEST}; "
                f"set {name} to a longer one, or drop secret(...) where it is no secret"
            )
        found = _forms(value).union(self._values)
        self._values = tuple(sorted((form for form in found if len(form) >= SHORTEST), key=len, reverse=True))
        self._numbers = tuple(form for form in self._values if form.replace(".", "", 1).isdecimal())

    def mask(self, text: str) -> str:
        """Where a text was cut in the middle of a secret, what is left of it is masked too."""
        for value in self._values:
            if value in text:
                text = text.replace(value, MASK)
        for value in self._values:
            text = _end_masked(text, value)
        return text

    def unfinished(self, text: str) -> int:
        """How many characters at the end of the text are the beginning of a secret, which may go on in what follows."""
        ends = (size for value in self._values for size in range(min(len(value) - 1, len(text)), 0, -1)
                if text.endswith(value[:size]))
        return max(ends, default=0)

    def mask_value(self, value: Any) -> Any:
        """The same through plain data, keys too; the value itself where there is nothing to mask."""
        return self._masked(value) if self._values else value

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return self._members(value)
        if isinstance(value, list | tuple):
            return [self._masked(member) for member in value]
        if self._numbers and isinstance(value, int | float) and not isinstance(value, bool):
            return MASK if repr(value) in self._numbers else value
        return value

    def _members(self, value: Mapping[Any, Any]) -> dict[str, Any]:
        masked: dict[str, Any] = {}
        for key, member in value.items():
            name = self._masked(key)
            while name in masked:  # two keys that differ in a secret alone are both kept
                name += "'"
            masked[name] = self._masked(member)
        return masked


def _forms(value: str) -> set[str]:
    """How a secret may come back: in JSON text, in a Python error, in an address, on one line, as broken bytes."""
    encoded = value.encode("utf-8", "surrogateescape")
    return {
        value, value.strip(), _as_json(value), json.dumps(value)[1:-1], repr(value)[1:-1],
        quote(encoded, safe=""), quote_plus(encoded), " ".join(value.strip().split("\n")), " ".join(value.split()),
        encoded.decode("utf-8", "replace"), value.encode("utf-8", "backslashreplace").decode(),
    }


def _end_masked(text: str, value: str) -> str:
    """Mask the beginning of a secret at the end of a text, or before the mark of a cut."""
    cut = text.rfind(CUT)
    end = cut if cut >= 0 else len(text)
    at = text.find(value[:SHORTEST], max(0, end - len(value)), end)
    while at >= 0:
        if value.startswith(text[at:end]):
            return f"{text[:at]}{MASK}{text[end:]}"
        at = text.find(value[:SHORTEST], at + 1, end)
    return text


def _as_json(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(escapes.get(character, character) for character in text)
