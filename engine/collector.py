"""Ease the garbage collector while sweeps run: it looks for circles over and over, where hardly any are made."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (20_000, 20, 20)  # new objects between two looks at the young, and how many of those between two at the older


class _Ease:
    """Sweeps of this process that are under way; what the collector was before the first is put back by the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sweeps = 0
        self._usual = SELDOM
        self._frozen = False

    def begin(self) -> None:
        with self._lock:
            self._sweeps += 1
            if self._sweeps == 1:
                self._frozen = gc.get_freeze_count() == 0  # else whoever embeds us has frozen, and that is theirs
                if self._frozen:
                    gc.freeze()
                self._usual = gc.get_threshold()
                gc.set_threshold(*SELDOM)

    def end(self) -> None:
        with self._lock:
            self._sweeps -= 1
            if self._sweeps == 0:
                gc.set_threshold(*self._usual)
                if self._frozen:
                    gc.unfreeze()


_ease = _Ease()


@contextmanager
def collector_eased() -> Iterator[None]:
    """Collect seldom, and pass over what is there already: packs and modules stay as long as a sweep does.

    A tenth of the time of a sweep with many runs at once.
    """
    _ease.begin()
    try:
        yield
    finally:
        _ease.end()
