"""The working side of ``wt run``: load, prepare, run, report; every expected fault is its text and its exit code."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from ...schemas.bounded import describe_error
from ...schemas.errors import WindTunnelError
from ..event_loop import run_to_end
from ..loading.find import find_pack
from ..loading.load import load_packs
from ..options import RunOptions
from ..report.board import Board
from ..report.console import ConsoleProgress, summary_line
from ..report.inert import inert
from ..report.matrices import matrix_lines
from ..report.streams import Streams
from ..sweep.link import Link
from ..sweep.prepare import Prepared, prepare, with_runs_dir
from ..sweep.run import run_sweep
from .faults import fault_text


def run_packs(packs: Sequence[str], options: RunOptions, link: Link, *, env: Mapping[str, str], folder: Path) -> int:
    """Return the exit code; a fault before the sweep begins is told to the parent as such."""
    streams = Streams()
    logging.getLogger("windtunnel").addHandler(logging.NullHandler())  # its reports are told as warnings, once
    threading.excepthook = lambda end: streams.err(
        f"warning: a thread that the bench did not start failed: {inert(_told(end))}"
    )
    try:
        loaded = load_packs(map(find_pack, packs), agents=options.added_agents)
        prepared = prepare(loaded, with_runs_dir(options, folder), env=env, folder=folder)
        link.longest(prepared.hooks.longest_s)
        with closing(ConsoleProgress(streams, _board(prepared), env)) as progress:
            result = run_to_end(run_sweep(prepared, progress, link))
    except WindTunnelError as fault:
        streams.err(fault_text(fault))
        link.early(fault.exit_code)
        return fault.exit_code
    for line in matrix_lines(result.aggregates):
        streams.out(line)
    streams.out(summary_line(result.aggregates, str(options.runs_dir)))
    return result.exit_code


def _board(prepared: Prepared) -> Board:
    batches = [
        ((pair.pack.name, pair.scenario.id, pair.agent.id), pair.scenario.runs if pair.scenario.skip is None else 0)
        for pair in prepared.selection.pairs
    ]
    return Board(batches, at_once=1 if prepared.hooks.serial else prepared.options.jobs)


def _told(end: threading.ExceptHookArgs) -> str:
    return describe_error(end.exc_value) if end.exc_value is not None else end.exc_type.__name__
