"""Run a prepared sweep: its batches as many at once as asked, its ledger in selection order, its record last."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ...schemas.bounded import describe_error
from ...schemas.codec import UNSET
from ...schemas.errors import EvidenceMissing
from ...schemas.scenario_documents import Scenario
from ...schemas.sweeps import Aggregate, SweepRecord
from ..artifacts.recorder import SweepRecorder
from ..artifacts.store import RunsDirectory
from ..aux_agents import AuxAgents
from ..batch_result import not_run
from ..clock import RealClock, RunClock, SeededClock, iso
from ..collector import collector_eased
from ..exit_codes import OF_SIGNAL
from ..foreign import interrupts
from ..interpreter import walk_batch
from ..pacer import Pacer
from ..points import fire_sweep_point
from ..progress import Progress
from ..report.matrices import matrix_results
from ..runtimes.all_runtimes import runtime_named
from ..scopes import BatchScope, RunOutcome, SweepScope
from ..scoring import aggregate_batch
from ..skeleton.steps import PointStep
from ..surface.shared import SharedSurfaces
from .ending import Ending, RunEnding
from .first_record import first_record
from .link import Link
from .prepare import Prepared
from .select import Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """What a sweep came to. ``exit_code`` as DESIGN 7; ``record`` is also on disk, in ``store``."""

    record: SweepRecord
    aggregates: tuple[Aggregate, ...]
    exit_code: int
    store: RunsDirectory


async def run_sweep(prepared: Prepared, progress: Progress, link: Link, ending: Ending | None = None) -> SweepResult:
    """Walk every batch. Raises UsageFault where the runs directory cannot be used; nothing has run then.

    ``ending`` says what the batches come to; left out, they gate as those of ``wt run`` do.
    """
    ending = ending or RunEnding()
    ending.begin(prepared.options)
    sweep = _open_sweep(prepared, progress, link)
    loop = asyncio.get_running_loop()
    handled = _handle_signals(loop, sweep)
    progress.sweep_started(sweep, prepared.selection.runs)
    try:
        with collector_eased(), interrupts(partial(sweep.interrupt, "SIGINT")):
            await _run_batches(sweep, prepared)
        for step in prepared.skeletons[prepared.packs[0].name].sweep:
            if isinstance(step, PointStep):
                await fire_sweep_point(sweep, step.name)
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
        _let_go_of_hooks(sweep)
        _let_go_of_guards(prepared)
    return _finish(sweep, ending)


def _let_go_of_hooks(sweep: SweepScope) -> None:
    """Let hooks end. What was not delivered to them is told; a KeyboardInterrupt that one of them kept counts still."""
    try:
        sweep.hooks.close()
    except KeyboardInterrupt:
        sweep.interrupt("SIGINT")
    for line in sweep.hooks.calls.losses():
        sweep.recorder.warn(line)
        sweep.progress.warn(line)


def _let_go_of_guards(prepared: Prepared) -> None:
    for agent in prepared.resolved.values():
        for guard in agent.guards.values():
            guard.close()


def _open_sweep(prepared: Prepared, progress: Progress, link: Link) -> SweepScope:
    options = prepared.options
    store = RunsDirectory(options.runs_dir)
    names = [pack.name for pack in prepared.packs]
    clock: RunClock = (
        RealClock() if options.deterministic is None else SeededClock(options.deterministic, "sweep", *names)
    )
    record = first_record(prepared, clock)
    recorder = SweepRecorder(store, record, prepared.secrets)
    link.record(str(recorder.path))
    jobs = 1 if prepared.hooks.serial else options.jobs
    return SweepScope(
        options=options,
        env=prepared.env,
        folder=prepared.folder,
        clock=clock,
        today=RealClock().now().date(),
        sweep_id=recorder.sweep,
        store=store,
        hooks=prepared.hooks,
        secrets=prepared.secrets,
        recorder=recorder,
        progress=progress,
        link=link,
        slots=asyncio.Semaphore(jobs),
        surfaces=SharedSurfaces(secrets=prepared.secrets, store_text=options.store_text),
        pacer=Pacer(jobs),
    )


def _handle_signals(loop: asyncio.AbstractEventLoop, sweep: SweepScope) -> list[int]:
    """Turn SIGINT and SIGTERM into an interruption; nothing to do off the main thread."""
    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, sweep.interrupt, number.name)
        except (ValueError, RuntimeError):
            continue
        handled.append(int(number))
    return handled


async def _run_batches(sweep: SweepScope, prepared: Prepared) -> None:
    """Begin batches in order, at most as many at once as there are jobs; count them in order too."""
    pairs = prepared.selection.pairs
    done: dict[int, Aggregate] = {}
    queue: Iterator[tuple[int, Pair]] = iter(enumerate(pairs))

    async def work() -> None:
        for index, pair in queue:
            done[index] = await _one_batch(sweep, prepared, pair)
            while len(sweep.aggregates) in done:
                _count(sweep, done.pop(len(sweep.aggregates)))

    jobs = 1 if sweep.hooks.serial else min(sweep.options.jobs, len(pairs))
    await asyncio.gather(*(work() for _ in range(jobs)))


async def _one_batch(sweep: SweepScope, prepared: Prepared, pair: Pair) -> Aggregate:
    batch = BatchScope(
        sweep=sweep, pack=pair.pack, scenario=pair.scenario, agent=pair.agent,
        skeleton=prepared.skeletons[pair.pack.name], runtime=runtime_named(pair.agent.runtime),
        aux=AuxAgents(pair.pack, prepared.helpers(pair), sweep.locks),
        resolved=prepared.subject(pair),
        state_probe=prepared.state_probes.get(pair.pack.name),
    )
    if pair.scenario.skip is None and not sweep.interrupted:
        await walk_batch(batch)
    if batch.aggregate is None:
        batch.aggregate = _uncounted(batch)
    return batch.aggregate


def _uncounted(batch: BatchScope) -> Aggregate:
    """The result of a batch that was skipped by declaration, or never begun."""
    outcomes = _missing_runs(batch, batch.scenario)
    return aggregate_batch(outcomes, batch.scenario, batch.agent, sweep=batch.sweep.sweep_id, pack=batch.pack.name,
                           label=batch.sweep.options.label, today=batch.sweep.today)


def _missing_runs(batch: BatchScope, scenario: Scenario) -> list[RunOutcome]:
    return [] if scenario.skip is not None else [not_run(batch, number) for number in range(1, scenario.runs + 1)]


def _count(sweep: SweepScope, aggregate: Aggregate) -> None:
    """Put a batch into the sweep's result and its row into the ledger."""
    sweep.aggregates.append(aggregate)
    try:
        sweep.store.append_ledger(aggregate)
    except OSError as fault:
        sweep.recorder.lose(f"the ledger row of {aggregate.pack}/{aggregate.scenario_id}/{aggregate.agent} "
                            f"could not be written: {describe_error(fault)}")
    sweep.progress.batch_done(aggregate)


def _finish(sweep: SweepScope, ending: Ending) -> SweepResult:
    """Write the requested outputs, then the record: complete, with the exit code that counts.

    Raises EvidenceMissing where the record itself cannot be written.
    """
    for lost in ending.write(sweep, _exit_code(sweep, ending)):
        sweep.recorder.lose(lost)
    code = _exit_code(sweep, ending)
    note = f"interrupted by {sweep.interrupted}" if sweep.interrupted else ""
    try:
        matrices = matrix_results(sweep.aggregates) or UNSET
        record = sweep.recorder.finish(sweep.aggregates, code, iso(sweep.clock.now()), note, matrices)
    except OSError as fault:
        raise EvidenceMissing(f"the sweep record could not be completed: {describe_error(fault)}; "
                              "free some space and run the sweep again") from None
    for warning in sweep.recorder.missing:
        sweep.progress.warn(warning)
    return SweepResult(record=record, aggregates=tuple(sweep.aggregates), exit_code=code, store=sweep.store)


def _exit_code(sweep: SweepScope, ending: Ending) -> int:
    if sweep.interrupted:
        return OF_SIGNAL[sweep.interrupted]
    code = ending.exit_code(sweep)
    return 3 if code == 0 and sweep.recorder.missing else code
