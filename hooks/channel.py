"""The one way from a hook back into the bench: the engine implements it, a HookContext speaks through it."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Protocol


class ConverseError(RuntimeError):
    """A converse turn brought no reply: it is not allowed here, or the agent failed. The text says which."""


class ConverseTimeout(ConverseError, TimeoutError):
    """A converse turn took longer than its deadline; whatever the agent still says is dropped."""


class Channel(Protocol):
    """What the engine offers the hooks of one run, batch or sweep. Every method is called from hook threads.

    ``emit``, ``warn`` and ``fault`` only buffer: they return at once and do not raise.
    """

    def emit(self, hook: str, point: str, payload: bytes, label: str | None) -> None:
        """Keep an artifact, strict JSON of at most 1 MiB, until the engine writes it."""
        ...

    def warn(self, hook: str, message: str) -> None:
        """Keep ``hook:<hook>: <message>``, what a hook itself has to say."""
        ...

    def fault(self, hook: str, message: str, count: int) -> None:
        """Keep a fault of a hook (it raised, hung, was skipped), seen ``count`` times in one dispatch.

        Dispatches of one run may bring the same fault: the record holds it once, with its count (``FaultLines``).
        """
        ...

    def converse(self, hook: str, text: str, timeout_s: float) -> Future[str] | None:
        """Send one user turn into the run's own session; None where no session is open for it.

        The future raises ``TimeoutError`` at the deadline and ``ConverseError`` with the agent's trouble. A future
        that is cancelled was given up by its hook at the deadline, and counts as timed out.
        """
        ...


class FaultLines:
    """Holds each distinct fault once, with its count: ``hook:notes: on_turn raised ValueError: no (3 times)``."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def add(self, hook: str, message: str, count: int = 1) -> None:
        key = (hook, message)
        with self._lock:  # from the engine's loop, and from queues that deliver off the path
            self._counts[key] = self._counts.get(key, 0) + count

    def lines(self) -> list[str]:
        """The lines, in the order in which the faults were first seen."""
        return [
            f"hook:{hook}: {message}" + (f" ({count} times)" if count > 1 else "")
            for (hook, message), count in list(self._counts.items())
        ]
