"""Send one user turn and witness what came back, within the turn's and the run's time."""

from __future__ import annotations

from ..schemas.bounded import clean_text, describe_error
from ..schemas.codec import UNSET
from ..schemas.errors import TemplateFault
from ..schemas.records import StageError, Turn
from ..schemas.scenario_documents import UserTurn
from ..schemas.templates import holds, render_value
from .clock import iso
from .latency import Latency
from .runtimes.base import Reply, RuntimeFault
from .scopes import RunScope
from .stages.base import StageFailure
from .within import Overdue, within


async def inject(run: RunScope, turn: UserTurn) -> None:
    """Send the turn if its ``when`` holds; set ``run.stopped`` where the conversation ends with it.

    Raises StageFailure where the agent could not be reached, or a template of the turn breaks.
    """
    stage = "inject_turns"
    try:
        if turn.when is not None and not holds(turn.when, _names(run)):
            run.stopped = turn.otherwise == "stop"
            return
        user = render_value(turn.user, run.batch.names)
    except TemplateFault as fault:
        raise StageFailure(f"{turn.mark}: {fault}") from None
    user = clean_text(run.batch.sweep.secrets.mask(str(user)))
    limit, limit_name = _limit(run)
    if limit <= 0:
        run.errors.append(StageError(stage=stage, kind="timeout", message=_over(run, "run_timeout_s")))
        run.stopped = True
        return
    await _send(run, turn, user, limit, limit_name)


def _names(run: RunScope) -> dict[str, object]:
    return {**run.batch.names, **run.witness.facts(), "turn": run.witness.turn + 1}


def _limit(run: RunScope) -> tuple[float, str]:
    """The seconds this turn has, and the key that says so."""
    scenario = run.batch.scenario
    left = scenario.run_timeout_s - run.driven_s
    return (scenario.turn_timeout_s, "turn_timeout_s") if scenario.turn_timeout_s <= left else (left, "run_timeout_s")


def _over(run: RunScope, name: str) -> str:
    return f"the time was over: {name} is {getattr(run.batch.scenario, name):g}"


async def _send(run: RunScope, turn: UserTurn, user: str, limit: float, limit_name: str) -> None:
    session, handle = run.session, run.batch.handle
    if session is None or handle is None:
        raise StageFailure("there is no session to send a turn into")
    number = run.witness.begin_turn(user)
    started_at, took = iso(run.clock.now()), Latency(run.clock)
    reply, error, timed_out = None, None, False
    try:
        with took:
            reply = await within(handle.send(session, user), limit)
    except Overdue as overdue:
        timed_out, error = True, _over(run, limit_name)
        run.batch.retired = run.batch.retired or overdue.stuck
    except RuntimeFault as fault:
        error = clean_text(run.batch.sweep.secrets.mask(str(fault)), 2000)
    except Exception as failure:  # noqa: BLE001 - an installed runtime may raise anything; the turn is still told
        error = run.batch.sweep.secrets.mask(describe_error(failure))
    finally:
        seconds = took.seconds
        run.driven_s += seconds
    if run.clock.virtual and seconds > limit and error is None:
        reply, timed_out, error = None, True, _over(run, limit_name)
    run.witness.record_turn(
        _record(run, number, turn, user, reply, error, timed_out=timed_out, started_at=started_at, seconds=seconds)
    )
    await run.batch.sweep.pacer.go_on()
    if error is not None:
        run.stopped = True
        if not timed_out:
            raise StageFailure(error)
        run.errors.append(StageError(stage="inject_turns", kind="timeout", message=f"turn {number}: {error}"))


def _record(run: RunScope, number: int, turn: UserTurn, user: str, reply: Reply | None, error: str | None, *,
            timed_out: bool, started_at: str, seconds: float) -> Turn:
    return Turn(
        n=number, user=user, simulated_by=turn.simulated_by or UNSET, started_at=started_at, seconds=seconds,
        reply=UNSET if reply is None else clean_text(run.batch.sweep.secrets.mask(str(reply.text))),
        error=UNSET if error is None else error,
        timed_out=True if timed_out else UNSET,
        finish_reason=reply.finish_reason if reply is not None and reply.finish_reason else UNSET,
        usage=reply.usage if reply is not None and reply.usage is not None else UNSET,
    )
