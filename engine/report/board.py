"""How far a sweep is: counted as its runs end, read by whoever shows it, from any thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ...schemas.counted import counted
from .inert import inert

VERDICTS = ("PASS", "FAIL", "INVALID", "ERROR", "NOT_RUN")
NAMED = 3

BatchKey = tuple[str, str, str]  # pack, scenario, agent


class Board:
    """``batches``: each with its number of runs, in selection order, which is the order in which they begin."""

    def __init__(
        self, batches: Sequence[tuple[BatchKey, int]], at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.batches = len(batches)
        self.runs = sum(runs for _, runs in batches)
        self.at_once = at_once
        self.batches_done = 0
        self.done = 0
        self.counts = dict.fromkeys(VERDICTS, 0)
        self.running: tuple[BatchKey, ...] = ()
        self._clock = clock
        self._began = clock()
        self._ahead = iter([(key, runs) for key, runs in batches if runs])
        self._left: dict[BatchKey, int] = {}
        self._begin_next()

    @property
    def seconds(self) -> float:
        return self._clock() - self._began

    def run_done(self, key: BatchKey, verdict: str) -> None:
        self.done += 1
        self.counts[verdict] += 1
        left = self._left.get(key, 0) - 1
        if left > 0:
            self._left[key] = left
            return
        self._left.pop(key, None)
        self._begin_next()

    def batch_done(self) -> None:
        self.batches_done += 1

    def start_line(self) -> str:
        """``12 runs of 4 batches, 8 at once``."""
        return f"{counted(self.runs, 'run')} of {counted(self.batches, 'batch', 'batches')}, {self.at_once} at once"

    def progress_line(self) -> str:
        """``37 of 120 runs in 42 s: 30 PASS, 7 FAIL; running: ask/careful, buy/careful and 6 more``."""
        counts = ", ".join(f"{number} {verdict}" for verdict, number in self.counts.items() if number)
        running = f"; running: {self.running_names()}" if self.running else ""
        told = f": {counts}" if counts else ""
        return f"{self.done} of {counted(self.runs, 'run')} in {self.seconds:.0f} s{told}{running}"

    def running_names(self) -> str:
        """The first few batches under way, and how many more there are."""
        running = self.running
        names = ", ".join(inert(f"{scenario}/{agent}", 60) for _, scenario, agent in running[:NAMED])
        return f"{names} and {len(running) - NAMED} more" if len(running) > NAMED else names

    def _begin_next(self) -> None:
        while len(self._left) < self.at_once:
            begun = next(self._ahead, None)
            if begun is None:
                break
            self._left[begun[0]] = begun[1]
        self.running = tuple(self._left)
