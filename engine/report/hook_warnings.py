"""What hooks warned of, a line for each distinct warning of a batch, and never more lines than a person would read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...schemas.counted import counted
from .board import BatchKey
from .inert import inert, squeezed

MOST_OF_A_BATCH = 5
MOST_IN_ALL = 50
WIDE = 300


class HookWarnings:
    """Keeps the first few distinct warnings of each batch that is under way, and counts the others."""

    def __init__(self) -> None:
        self._runs: dict[BatchKey, dict[str, int]] = {}
        self._more: dict[BatchKey, int] = {}
        self._told = 0

    def add(self, key: BatchKey, warnings: Sequence[str]) -> None:
        """Take the warnings of one run."""
        if not warnings:
            return
        known = self._runs.setdefault(key, {})
        for warning in dict.fromkeys(squeezed(each, WIDE) for each in warnings):
            if warning in known or len(known) < MOST_OF_A_BATCH:
                known[warning] = known.get(warning, 0) + 1
            else:
                self._more[key] = self._more.get(key, 0) + 1

    def lines(self, key: BatchKey) -> Iterator[str]:
        """``warning: ask  careful  hook:notes: no such file  (in 3 runs)``, for a batch that has ended."""
        _, scenario, agent = key
        known, more = self._runs.pop(key, {}), self._more.pop(key, 0)
        lines = [f"{warning}  (in {counted(runs, 'run')})" for warning, runs in known.items()]
        if more:
            lines.append(f"{counted(more, 'more warning')}: see worker_warnings in the traces")
        for line in lines:
            if self._told == MOST_IN_ALL:
                self._told += 1
                yield "warning: there are more warnings, which are not shown: see worker_warnings in the traces"
            if self._told >= MOST_IN_ALL:
                return
            self._told += 1
            yield f"warning: {inert(scenario)}  {inert(agent)}  {line}"
