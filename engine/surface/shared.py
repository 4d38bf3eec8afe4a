"""What is shown byte for byte alike is hashed once, however many runs and batches see it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...schemas.codec import encode
from ...schemas.secrets import Secrets
from ...schemas.surfaces import Surface
from .segments import surface_of

MOST = 256


@dataclass(slots=True, kw_only=True)
class SharedSurfaces:
    """The surfaces of one sweep, the latest ones; an older one is made anew where it comes back."""

    secrets: Secrets
    store_text: bool = False
    _made: dict[tuple[bytes, int], Surface] = field(default_factory=dict)
    _last: tuple[bytes, int, Surface] | None = None

    def of(self, shown: Mapping[str, Any]) -> Surface:
        """The surface of what is shown. Raises nothing, whatever a runtime tells."""
        try:
            seen = encode(shown)
        except Exception:  # noqa: BLE001 - what a runtime tells may be anything; it is cleaned, and not shared
            return surface_of(shown, self.secrets, store_text=self.store_text)
        last = self._last
        if last is not None and last[0] == seen and last[1] == self.secrets.size:  # the run before, most of the time
            return last[2]
        found = self._kept(seen, shown)
        self._last = seen, self.secrets.size, found
        return found

    def _kept(self, seen: bytes, shown: Mapping[str, Any]) -> Surface:
        key = hashlib.blake2b(seen, digest_size=16).digest(), self.secrets.size
        found = self._made.get(key)
        if found is None:
            found = surface_of(shown, self.secrets, store_text=self.store_text)
            if len(self._made) >= MOST:
                self._made.pop(next(iter(self._made)))
            self._made[key] = found
        return found
