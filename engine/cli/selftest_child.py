"""The working side of ``wt selftest``: load, play, certify, report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from ...schemas.documents import Pack
from ...schemas.errors import WindTunnelError
from ...schemas.sweeps import Aggregate, ArtifactRow
from ..artifacts.names import APART
from ..event_loop import run_to_end
from ..loading.find import built_in_packs, find_pack
from ..loading.load import load_packs
from ..options import RunOptions
from ..report.board import Board
from ..report.inert import inert
from ..report.progress import meter_for
from ..report.streams import Streams
from ..scopes import BatchScope, RunOutcome, SweepScope
from ..selftest.run import play, prepare_selftest
from ..selftest.told import lines_of, summary_line, warnings_of
from ..sweep.link import Link
from ..sweep.prepare import Prepared
from .faults import fault_text


def selftest_packs(
    packs: Sequence[str], options: RunOptions, link: Link, *,
    built_in: bool, mutate: bool, env: Mapping[str, str], folder: Path,
) -> int:
    """Return the exit code; a fault before anything is played is told to the parent as such."""
    streams = Streams()
    try:
        subjects, prepared = prepare_selftest(_loaded(packs, built_in), options, env=env, folder=folder)
        link.longest(prepared.hooks.longest_s)
        with closing(_Progress(streams, prepared, env)) as progress:
            result = run_to_end(play(subjects, prepared, progress, link, mutate=mutate))
    except WindTunnelError as fault:
        streams.err(fault_text(fault))
        link.early(fault.exit_code)
        return fault.exit_code
    for line in lines_of(result.results):
        streams.out(line)
    for line in warnings_of(result.results):
        streams.err(line)
    streams.out(summary_line(result.results, str(options.runs_dir / APART)))
    return result.exit_code


def _loaded(packs: Sequence[str], built_in: bool) -> tuple[Pack, ...]:
    named = [find_pack(name) for name in packs or (() if built_in else (".",))]
    return load_packs([*(built_in_packs().values() if built_in else ()), *named])


class _Progress:
    """How far it is, on standard error; what came of it is told at the end, a line a scenario."""

    def __init__(self, streams: Streams, prepared: Prepared, env: Mapping[str, str]) -> None:
        batches = [
            ((pair.pack.name, pair.scenario.id, pair.agent.id), pair.scenario.runs) for pair in prepared.selection.pairs
        ]
        self._streams = streams
        self._board = Board(batches, at_once=prepared.options.jobs)
        self._meter = meter_for(self._board, streams, env)

    def sweep_started(self, sweep: SweepScope, runs: int) -> None:
        pass

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        self._board.run_done(batch.key, outcome.verdict)

    def batch_done(self, aggregate: Aggregate) -> None:
        self._board.batch_done()

    def warn(self, line: str) -> None:
        with self._meter.paused():
            self._streams.err(f"warning: {inert(line, 1000)}")

    def close(self) -> None:
        self._meter.close()
