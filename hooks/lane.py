"""One lane per (event, callback) owns what it has in flight, what it has abandoned, and its quiet time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from .containment import Outcome
from .contract import Limits

_QUIET = Outcome(kind="quiet", detail="Skipped: quiet, for it did not answer in time before")
_BUSY = Outcome(kind="busy", detail="Skipped: busy with a call of the same identity")
_TIMEOUT = Outcome(kind="timeout", detail="TimeoutError: no answer before its deadline")


class Call:
    """One admitted call. ``outcome`` is set once, by whoever ran it, unless its caller has given up before."""

    __slots__ = ("_stop", "abandoned", "identity", "loop", "outcome", "wake")

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.outcome: Outcome | None = None
        self.abandoned = False
        self.wake: Callable[[], None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._stop: Callable[[], object] | None = None

    def stop_with(self, stop: Callable[[], object]) -> None:
        """Say how the call is cancelled once nobody waits for it any more; at once, if that is so already."""
        self._stop = stop
        if self.abandoned:
            self.stop()

    def stop(self) -> None:
        """Ask abandoned code to end. It need not obey."""
        if self._stop is not None:
            with suppress(RuntimeError):  # where its loop is closed, it has ended
                self._stop()

    @property
    def ended_unseen(self) -> bool:
        """A coroutine whose loop is closed never runs on, and never tells."""
        return self.loop is not None and self.loop.is_closed()


class Lane:
    """Admits, settles and abandons calls. No foreign code runs under its lock."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._running: dict[str, Call] = {}
        self._abandoned: set[Call] = set()
        self._quiet_until: float | None = None
        self._saturated = Outcome(
            kind="saturated", detail=f"Skipped: saturated, {limits.max_abandoned} abandoned calls of it still run"
        )

    def admit(self, identity: str) -> Call | Outcome:
        """A call to run, or why it is skipped: quiet (D2), saturated (D4) or busy (D3)."""
        with self._lock:
            if self._quiet_until is not None:
                if self._clock() < self._quiet_until:
                    return _QUIET
                self._quiet_until = None
            if len(self._abandoned) >= self._limits.max_abandoned:
                self._abandoned = {call for call in self._abandoned if not call.ended_unseen}
                if len(self._abandoned) >= self._limits.max_abandoned:
                    return self._saturated
            if identity in self._running:
                return _BUSY
            call = self._running[identity] = Call(identity)
            return call

    def settle(self, call: Call, outcome: Outcome) -> bool:
        """The call has ended. False: its caller had given up, and all that is left to do is done (D5)."""
        with self._lock:
            if call.outcome is not None:
                return True
            if call.abandoned:
                self._abandoned.discard(call)
                return False
            call.outcome = outcome
            del self._running[call.identity]
        if call.wake is not None:
            call.wake()
        return True

    def abandon(self, call: Call, *, quiet: bool = True) -> Outcome:
        """Its caller gives up; the outcome is a timeout, unless the call ended meanwhile: then that one is used (D5).

        Without ``quiet`` the lane goes on: the caller itself was cancelled, and the callback is not to blame.
        """
        with self._lock:
            if call.outcome is not None:
                return call.outcome
            if call.abandoned:
                return _TIMEOUT
            call.abandoned = True
            del self._running[call.identity]
            self._abandoned.add(call)
            if quiet and self._limits.quiet_s:
                self._quiet_until = self._clock() + self._limits.quiet_s
        call.stop()
        return _TIMEOUT
