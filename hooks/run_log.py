"""What an observer has heard of the runs in hand: bounded a run, and forgotten when the run is over."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_ENTRIES = 2000
STREAM_ENDS_S = 1.0


@dataclass(slots=True)
class Heard:
    """A call: what its ``pre_`` event sent, and what its ``post_`` sent (empty as long as that has not come)."""

    kind: str
    began: Mapping[str, Any]
    ended: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class RunLog:
    """One run. ``more`` counts what found no room; ``events`` counts all that was heard, by name."""

    entries: list[Heard] = field(default_factory=list)
    more: int = 0
    events: Counter[str] = field(default_factory=Counter)
    open: dict[tuple[str, str], Heard | None] = field(default_factory=dict)


class RunLogs:
    """The logs of all runs in hand. Methods are called from the loop, from workers and from queues."""

    def __init__(self, most: int = MOST_ENTRIES) -> None:
        self._most = most
        self._runs: dict[str, RunLog] = {}
        self._changed = threading.Condition()

    def begin(self, event: str, kind: str, key: str, fields: Mapping[str, Any]) -> None:
        """A call begins; ``key`` is the id that its end will have. A call of no run is nobody's."""
        run_id = fields["run_id"]
        if not run_id:
            return
        with self._changed:
            log = self._runs.setdefault(run_id, RunLog())
            log.events[event] += 1
            log.open[kind, key] = _kept(log, Heard(kind, fields), self._most)

    def end(self, event: str, kind: str, key: str, fields: Mapping[str, Any]) -> None:
        """It has ended. Where its beginning was not seen, or its run is over, there is nothing to end."""
        with self._changed:
            log = self._runs.get(fields["run_id"])
            if log is None:
                return
            log.events[event] += 1
            heard = log.open.pop((kind, key), None)
            if heard is not None:
                heard.ended = fields
            self._changed.notify_all()

    def mark(self, event: str, run_id: str, fields: Mapping[str, Any]) -> None:
        """Something that has no end: a point."""
        with self._changed:
            log = self._runs.setdefault(run_id, RunLog())
            log.events[event] += 1
            _kept(log, Heard("point", {"name": event, **fields}), self._most)

    def take(self, run_id: str) -> RunLog:
        """What was heard of a run that is over. The ends of streams come off the path, and are waited for a moment."""
        with self._changed:
            self._changed.wait_for(lambda: not self._streaming(run_id), STREAM_ENDS_S)
            return self._runs.pop(run_id, None) or RunLog()

    def forget(self) -> dict[str, RunLog]:
        """Drop the runs that never came to their end, and return them."""
        with self._changed:
            left, self._runs = self._runs, {}
        return left

    def _streaming(self, run_id: str) -> bool:
        log = self._runs.get(run_id)
        return log is not None and any(kind == "stream" for kind, _ in log.open)


def _kept(log: RunLog, heard: Heard, most: int) -> Heard | None:
    if len(log.entries) >= most:
        log.more += 1
        return None
    log.entries.append(heard)
    return heard
