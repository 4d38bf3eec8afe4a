"""Warn once of each distinct fault, count every one, and never let the log hold or break a run (D10)."""

from __future__ import annotations

import logging
import threading
from collections import Counter, defaultdict
from collections.abc import Mapping
from types import MappingProxyType

from .containment import Containment, Outcome
from .contract import Event, Fault, Limits
from .delivery import Subscriber
from .signature import sent_fields

LOGGER = logging.getLogger("windtunnel.hooks")

_SAID = {
    "raised": "raised",
    "timeout": "did not answer in time",
    "unstartable": "could not be started",
    "malformed": "gave a malformed answer",
}


class Reporter:
    """One for all faults of a dispatcher, on path and off."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._told: set[tuple[str, str, str, str]] = set()
        self._distinct: defaultdict[tuple[str, str], int] = defaultdict(int)
        self.counts: Mapping[tuple[str, str, str], int] = MappingProxyType(self._counts)

    def count(self, event: str, hook: str, kind: str) -> None:
        with self._lock:
            self._counts[event, hook, kind] += 1

    def fault(self, subscriber: Subscriber, outcome: Outcome) -> Fault | None:
        """The fault that an outcome is, counted and logged: at WARNING where it is new, else at DEBUG."""
        if not outcome.kind:
            return None
        event = subscriber.event
        fault = Fault(event.name, subscriber.hook, outcome.kind, outcome.detail)
        self.count(fault.event, fault.hook, fault.kind)
        level = logging.WARNING if self._is_new(fault, subscriber.code) else logging.DEBUG
        with Containment(self._limits.text_chars) as held:  # handlers are foreign code, and a stream may be closed
            if LOGGER.isEnabledFor(level):
                LOGGER.log(level, "%s", _line(fault, event))
        if held.outcome.interrupt is not None:
            raise held.outcome.interrupt
        return fault

    def forget(self) -> None:
        """Warn of everything anew."""
        with self._lock:
            self._told.clear()
            self._distinct.clear()

    def _is_new(self, fault: Fault, code: str) -> bool:
        key = (fault.event, code, fault.kind, fault.detail)
        with self._lock:
            if key in self._told or self._distinct[fault.event, fault.hook] >= self._limits.max_distinct:
                return False
            self._told.add(key)
            self._distinct[fault.event, fault.hook] += 1
            return True


def _line(fault: Fault, event: Event) -> str:
    said = _SAID.get(fault.kind, "was skipped")
    detail = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in fault.detail)
    return f"hook {fault.hook!r} {said} at {fault.event}: {detail} ({fault.event} sends: {sent_fields(event)})"
