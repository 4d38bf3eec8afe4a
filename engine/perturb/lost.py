"""Faults in which a call is lost: ``timeout`` and ``error`` (the request, or only the answer), and ``schema-error``.

With ``lost: request`` the tool never runs. With ``lost: answer`` it runs, with all its effects, and the agent reads the
same error: whoever tries again does it twice.
"""

from __future__ import annotations

from ..tools.results import Answer
from .strike import Strike

WAIT_S = 0.2


async def timeout(strike: Strike) -> Answer:
    """The run's clock goes on by ``wait_s``, and the agent reads that the tool timed out."""
    wait_s = float(strike.args.get("wait_s", WAIT_S))
    broken = await _ran(strike)
    if broken is not None:
        return broken
    strike.struck()  # first: an agent that is cut off while it waits has met it
    await strike.clock.sleep(wait_s)
    return Answer(error=f"{strike.call.tool} timed out after {wait_s:g} s")


async def error(strike: Strike) -> Answer:
    """The agent reads ``message``."""
    broken = await _ran(strike)
    if broken is not None:
        return broken
    strike.struck()
    return Answer(error=str(strike.args.get("message", f"503: {strike.call.tool} is not available at the moment")))


async def schema_error(strike: Strike) -> Answer:
    """The agent reads that its arguments, sound as they are, do not fit; the tool never runs."""
    strike.struck()
    return Answer(error=f"422: the arguments do not match the schema of {strike.call.tool}")


async def _ran(strike: Strike) -> Answer | None:
    """Let the tool run where only the answer is lost. A tool that is itself broken stands: that is no weather."""
    if strike.args.get("lost") != "answer":
        return None
    answer = await strike.next()
    return strike.spared(answer, "the tool is broken") if answer.bench else None
