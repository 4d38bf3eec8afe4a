"""Result lines for people and CI logs: verdict, scenario, agent, how many passed, and why the rest did not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...schemas.counted import counted
from ...schemas.sweeps import Aggregate, ArtifactRow
from ..scopes import BatchScope, RunOutcome, SweepScope
from .board import BatchKey, Board
from .debrief_text import debrief_line
from .hook_warnings import HookWarnings
from .inert import inert
from .progress import may_colour, meter_for
from .streams import Streams

GREEN, RED, YELLOW, DIM, PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"
PAINT = {"PASS": GREEN, "PASS_WITH_VARIANCE": GREEN, "FAIL": RED, "SKIPPED": DIM}


def result_line(aggregate: Aggregate) -> str:
    """``FAIL lookup_before_answer  careful  0/3  outcome: mentions "...": not in the reply``."""
    passed = aggregate.counts.get("PASS", 0)
    parts = [f"{aggregate.verdict} {aggregate.scenario_id}", aggregate.agent]
    if aggregate.verdict == "SKIPPED":
        return "  ".join([*parts, f"skipped: {inert(aggregate.skip or '', 200)}"])
    parts.append(f"{passed}/{aggregate.runs}")
    if not aggregate.gates and aggregate.known_failure is None and not aggregate.verdict.startswith("PASS"):
        parts.append("[does not gate]")
    if aggregate.reason:
        parts.append(inert(aggregate.reason, 300))
    if aggregate.guard_faults:
        parts.append(f"[guard fault in {counted(aggregate.guard_faults, 'run')}]")
    return "  ".join(parts)


def painted(line: str, aggregate: Aggregate) -> str:
    """A result line whose verdict is seen from afar."""
    colour = PAINT.get(aggregate.verdict, YELLOW)
    return f"{colour}{aggregate.verdict}{PLAIN}{line.removeprefix(aggregate.verdict)}"


def summary_line(aggregates: Sequence[Aggregate], where: str) -> str:
    """``2 batches: 1 PASS, 1 FAIL; 6 runs: 3 PASS, 3 FAIL; evidence in runs``."""
    batches, runs = _by_verdict([{a.verdict: 1} for a in aggregates]), _by_verdict([a.counts for a in aggregates])
    told = counted(len(aggregates), "batch", "batches")
    return f"{told}: {batches}; {runs and 'runs: ' + runs + '; '}evidence in {where}"


def _by_verdict(counts: Sequence[dict[str, int]]) -> str:
    order = ("PASS", "PASS_WITH_VARIANCE", "FAIL", "INVALID", "ERROR", "NOT_RUN", "SKIPPED")
    totals = {verdict: sum(count.get(verdict, 0) for count in counts) for verdict in order}
    return ", ".join(f"{number} {verdict}" for verdict, number in totals.items() if number)


class ConsoleProgress:
    """Prints each batch's result line as soon as it is counted, and the agent's own words below one that failed.

    Warnings and progress go to standard error. Close it when the sweep is over.
    """

    def __init__(self, streams: Streams, board: Board, env: Mapping[str, str]) -> None:
        self._streams = streams
        self._board = board
        self._colour = streams.out_is_terminal and may_colour(env)
        self._meter = meter_for(board, streams, env)
        self._sweep: SweepScope | None = None
        self._debriefs: dict[BatchKey, str] = {}
        self._warnings = HookWarnings()

    def sweep_started(self, sweep: SweepScope, runs: int) -> None:
        self._sweep = sweep

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        self._board.run_done(batch.key, outcome.verdict)
        self._warnings.add(batch.key, warnings)
        for row in artifacts:
            if row.hook == "debrief":
                self._debriefs.setdefault(batch.key, row.file)

    def batch_done(self, aggregate: Aggregate) -> None:
        key = (aggregate.pack, aggregate.scenario_id, aggregate.agent)
        self._board.batch_done()
        with self._meter.paused():
            self._streams.out(painted(result_line(aggregate), aggregate) if self._colour else result_line(aggregate))
            if debrief := self._debrief_line(key):
                self._streams.out(debrief)
            for line in self._warnings.lines(key):
                self._streams.err(line)

    def warn(self, line: str) -> None:
        with self._meter.paused():
            self._streams.err(f"warning: {inert(line, 1000)}")

    def close(self) -> None:
        self._meter.close()

    def _debrief_line(self, key: BatchKey) -> str:
        debrief = self._debriefs.pop(key, "")
        return debrief_line(key[2], self._sweep.store.root / debrief) if debrief and self._sweep is not None else ""
