"""Walk a skeleton: one short loop a level. A stage that fails ends with a value, and the walk goes on as it must."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import aclosing
from typing import Any

from ..hooks.current_run import bind_run
from ..hooks.points import CONVERSE_POINT as SCORED_POINT
from ..schemas.bounded import describe_error
from ..schemas.records import StageError
from .artifacts.names import run_stem
from .artifacts.slot import RunSlot
from .batch_result import keep_outcome, not_run
from .clock import iso
from .conversation import user_turns
from .points import fire_batch_point, fire_run_point
from .runtimes.base import RuntimeFault
from .scopes import BatchScope, RunScope, SweepScope
from .skeleton.steps import LoopStep, PointStep, StageStep, Step
from .stages.all_stages import STAGES
from .stages.base import BatchStage, RunStage, StageFailure

LAST_POINT = "on_run_end"
LAST_BATCH_POINT = "on_scenario_end"
OF_A_DEAD_RUN = frozenset({"freeze_trace", "score", LAST_POINT})
ALWAYS = frozenset({"aggregate", "teardown"})
ALWAYS_IN_BATCH = ALWAYS | {LAST_BATCH_POINT}


async def walk_batch(batch: BatchScope) -> None:
    """Walk the batch part. If a stage before the runs fails, every run is ERROR; what must always happen, happens."""
    for step in batch.skeleton.batch:
        if isinstance(step, LoopStep):
            await _each_run(batch, step.body)
        elif step.name in ALWAYS_IN_BATCH:
            await _batch_step(batch, step)
        elif not (batch.errors or batch.sweep.interrupted):
            await _to_its_end(batch.sweep, _batch_step(batch, step))


async def _batch_step(batch: BatchScope, step: StageStep | PointStep) -> None:
    if isinstance(step, StageStep):
        await _batch_stage(batch, step)
    else:
        await fire_batch_point(batch, step.name)


async def walk_run(run: RunScope, steps: Iterable[Step]) -> None:
    """Walk one run's part (or one turn's)."""
    for step in steps:
        if run.dead and step.name not in OF_A_DEAD_RUN:
            continue
        match step:
            case StageStep():
                await _run_stage(run, step)
            case PointStep():
                if _may_fire(run, step.name):
                    await fire_run_point(run, step.name)
            case LoopStep():
                await _each_turn(run, step.body)


async def _each_turn(run: RunScope, body: tuple[Step, ...]) -> None:
    """Walk the body once for each user turn; a simulated user that cannot go on breaks the run as a stage would."""
    async with aclosing(user_turns(run)) as turns:

        async def advance() -> None:
            run.turn = await anext(turns, None)

        while not (run.broken or run.stopped):
            error = await _attempt("inject_turns", run.batch.sweep.secrets.mask, advance)
            if error is not None:
                run.errors.append(error)
                run.broken = True
            elif run.turn is None:
                break
            else:
                await walk_run(run, body)


def _may_fire(run: RunScope, point: str) -> bool:
    """Whether a point still holds what it promises, after what went wrong in this run."""
    if point == SCORED_POINT and run.score is None:
        return False
    return not run.broken and not (run.dead and run.batch.errors)


async def _batch_stage(batch: BatchScope, step: StageStep) -> None:
    stage = STAGES[step.name]
    assert isinstance(stage, BatchStage)  # noqa: S101 - the compiler has seen to it
    error = await _attempt(step.name, batch.sweep.secrets.mask, lambda: stage.run(batch, step.params))
    if error is not None:
        batch.errors.append(error)
        if step.name in ALWAYS:
            batch.sweep.recorder.warn(f"{'/'.join(batch.key)}: {error.stage}: {error.message}")


async def _run_stage(run: RunScope, step: StageStep) -> None:
    stage = STAGES[step.name]
    assert isinstance(stage, RunStage)  # noqa: S101 - the compiler has seen to it
    if run.broken and stage.phase != "record":
        return
    run.broken = False
    error = await _attempt(step.name, run.batch.sweep.secrets.mask, lambda: stage.run(run, step.params))
    if error is not None:
        run.errors.append(error)
        run.dead = run.dead or stage.phase == "setup"
        run.broken = stage.phase == "drive"


async def _attempt(name: str, mask: Callable[[str], str], work: Callable[[], Awaitable[None]]) -> StageError | None:
    """Do a stage's work; its failure is a value."""
    try:
        await work()
    except (StageFailure, RuntimeFault) as failure:
        return StageError(stage=name, kind="bench", message=mask(str(failure)))
    except Exception as error:  # noqa: BLE001 - a runtime or plug-in raised what it liked
        return StageError(stage=name, kind="bench", message=mask(describe_error(error)))
    return None


async def _each_run(batch: BatchScope, body: tuple[Step, ...]) -> None:
    """Make the runs of the batch, several at once where their sessions are independent."""
    numbers = iter(range(1, batch.scenario.runs + 1))
    workers = 1
    if batch.runtime.independent_sessions and not batch.sweep.hooks.serial:
        workers = min(batch.sweep.options.jobs, batch.scenario.runs)
    if workers == 1:
        await _work(batch, body, numbers)
    else:
        await asyncio.gather(*(_work(batch, body, numbers) for _ in range(workers)))
    batch.outcomes.extend(not_run(batch, number) for number in numbers)
    batch.outcomes.sort(key=lambda outcome: outcome.number)


async def _work(batch: BatchScope, body: tuple[Step, ...], numbers: Iterable[int]) -> None:
    sweep = batch.sweep
    for number in numbers:
        async with sweep.turn_of(batch):
            if sweep.interrupted:  # perhaps while this one waited for its turn, after the runs in flight were cut off
                batch.outcomes.append(not_run(batch, number))
                return
            whole = await _to_its_end(sweep, _one_run(batch, body, number))
            if not whole and not any(outcome.number == number for outcome in batch.outcomes):
                batch.outcomes.append(not_run(batch, number))


async def _to_its_end(sweep: SweepScope, work: Coroutine[Any, Any, None]) -> bool:
    """Do the work in this task. False where an interruption cut it off; what comes after it goes on."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - batches and runs are made in tasks
    sweep.in_flight.add(task)
    try:
        await work
        if sweep.interrupted:  # one that comes as the work ends is met here, not by those who come after
            await asyncio.sleep(0)
    except asyncio.CancelledError:
        if not sweep.interrupted:
            raise
        task.uncancel()
        return False
    finally:
        sweep.in_flight.discard(task)
    return True


async def _one_run(batch: BatchScope, body: tuple[Step, ...], number: int) -> None:
    """Make one run. One that is cut off counts as finished if it was scored: its score is on disk."""
    run = await _open_run(batch, number)
    whole = False
    with bind_run(run.run_id):
        try:
            await walk_run(run, body)
            if run.session is not None:
                await run.session.events.settled()
            whole = True
        finally:
            if run.world is not None:
                run.world.close()
            artifacts = run.slot.close(run.run_id)
            batch.sweep.recorder.artifacts.extend(artifacts)
            if whole or run.score is not None:
                keep_outcome(run, artifacts)


async def _open_run(batch: BatchScope, number: int) -> RunScope:
    """A scope for one try, with a fresh handle where the last one had to be given up."""
    clock = batch.sweep.run_clock(*batch.key, number)
    run_id, started = clock.token(), clock.now()
    slot = RunSlot(store=batch.sweep.store, secrets=batch.sweep.secrets, key=batch.key, stem=run_stem(started, run_id))
    run = RunScope(batch=batch, number=number, clock=clock, run_id=run_id, started_at=iso(started), slot=slot)
    if batch.errors:
        run.errors.extend(batch.errors)
        run.dead = True
        return run
    if batch.retired:
        await _replace_handle(run)
    elif batch.abandoned_turn:
        slot.warnings.append("bench: a converse turn of an earlier run was abandoned and may still be in flight")
    batch.abandoned_turn = False
    return run


async def _replace_handle(run: RunScope) -> None:
    """The agent did not stop when it was told to: leave it behind and provision a fresh one."""
    batch = run.batch
    batch.retired, batch.handle = False, None
    provision = STAGES["provision"]
    assert isinstance(provision, BatchStage)  # noqa: S101 - it is one
    error = await _attempt("provision", batch.sweep.secrets.mask, lambda: provision.run(batch, {}))
    run.slot.warnings.append("bench: an agent that could not be cancelled was given up; this run has a fresh one")
    if error is not None:
        run.errors.append(error)
        run.dead = True


