"""A measured time is the agent's own: what waiting for hooks took is taken off (D13)."""

from __future__ import annotations

import time
from types import TracebackType

from ..hooks.hook_time import HookTime
from .clock import RunClock


class Latency:
    """``with Latency(clock) as took: ...``: ``took.seconds`` passed on the run's clock, hook time not counted.

    ``hooks`` is the wall time that hooks took: a deadline of the same work is later by it. A clock that only ``sleep``
    moves stands still while hooks run, so nothing is taken off there. The reading stays as it was when the block ended.
    """

    __slots__ = ("_began", "_clock", "_ended", "hooks")

    def __init__(self, clock: RunClock) -> None:
        self._clock = clock
        self._began = 0.0
        self._ended: float | None = 0.0
        self.hooks = HookTime(time.perf_counter)

    @property
    def seconds(self) -> float:
        return self._reading() if self._ended is None else self._ended

    def __enter__(self) -> Latency:
        self.hooks.__enter__()
        self._began, self._ended = self._clock.elapsed(), None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended = self._reading()
        self.hooks.__exit__(kind, error, trace)

    def _reading(self) -> float:
        passed = self._clock.elapsed() - self._began
        return round(passed if self._clock.virtual else max(0.0, passed - self.hooks.seconds), 6)
