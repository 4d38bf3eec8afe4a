"""Hook time is in no measured latency (D13): who measures something keeps a HookTime and takes its seconds off."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import TracebackType


class HookTime:
    """``with HookTime(clock) as spent: ...``: afterwards ``spent.seconds`` is what waiting for hooks took in the block.

    Deliveries that overlap, from tasks and threads that start within the block, are counted once: it never exceeds the
    wall time. ``clock`` is the one that the latency is measured with. Blocks nest, and each one counts.
    """

    __slots__ = ("_clock", "_depth", "_lock", "_outer", "_since", "_spent", "_token")

    _token: Token[HookTime | None]

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._depth = 0
        self._since = 0.0
        self._spent = 0.0
        self._outer: HookTime | None = None

    @property
    def seconds(self) -> float:
        """Seconds spent in hooks so far, a delivery that is under way included."""
        with self._lock:
            return self._spent + (self._clock() - self._since if self._depth else 0.0)

    def __enter__(self) -> HookTime:
        self._outer = _MEASURING.get()
        self._token = _MEASURING.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            _MEASURING.reset(self._token)
        except ValueError:
            pass  # a coroutine that is thrown away ends in another context: there is nothing to undo

    def begin(self) -> None:
        """A delivery begins (called by the dispatcher)."""
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._since = self._clock()
        if self._outer is not None:
            self._outer.begin()

    def end(self) -> None:
        """A delivery has returned."""
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._spent += self._clock() - self._since
        if self._outer is not None:
            self._outer.end()


_MEASURING: ContextVar[HookTime | None] = ContextVar("windtunnel_hook_time", default=None)


def measuring() -> HookTime | None:
    """The HookTime that the current code is measured by, if there is one."""
    return _MEASURING.get()


@contextmanager
def as_hook_time() -> Iterator[None]:
    """What passes in the block is hook time, whoever spends it: a guard written in YAML counts as one in Python."""
    time = measuring()
    if time is None:
        yield
        return
    time.begin()
    try:
        yield
    finally:
        time.end()
