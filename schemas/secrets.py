"""A secret never shows: what ``secret(env.NAME)`` read is masked where evidence is witnessed and text is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import UsageFault

MASK = "***"
SHORTEST = 8


class Secrets:
    """The secrets of one process; longer ones are masked first, so that none shows through a shorter one inside it."""

    def __init__(self) -> None:
        self._values: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self._values)

    def add(self, name: str, value: str) -> None:
        """Mask ``value`` from now on. A value so short that masking would eat ordinary words is a UsageFault."""
        if len(value) < SHORTEST:
            raise UsageFault(
                f"the secret in variable {name} has {len(value)} characters: a secret needs at least {SHORTEST}; "
                f"set {name} to a longer one, or drop secret(...) where it is no secret"
            )
        # An endpoint may hand a secret back as JSON text, where quotes and line ends are written as escapes.
        forms = {value, value.strip(), _as_json(value)}
        found = forms.union(self._values)
        self._values = tuple(sorted((form for form in found if len(form) >= SHORTEST), key=len, reverse=True))

    def mask(self, text: str) -> str:
        for value in self._values:
            if value in text:
                text = text.replace(value, MASK)
        return text

    def mask_value(self, value: Any) -> Any:
        """The same through plain data, keys too; the value itself where there is nothing to mask."""
        return self._masked(value) if self._values else value

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return {self._masked(key): self._masked(member) for key, member in value.items()}
        if isinstance(value, list | tuple):
            return [self._masked(member) for member in value]
        return value


def _as_json(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(escapes.get(character, character) for character in text)
