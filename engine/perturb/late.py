"""The fault in which nothing is wrong but the time: ``slow``."""

from __future__ import annotations

from ..tools.results import Answer
from .lost import WAIT_S
from .strike import Strike


async def slow(strike: Strike) -> Answer:
    """The run's clock goes on by ``wait_s``, then the real call takes place."""
    strike.struck()
    await strike.clock.sleep(float(strike.args.get("wait_s", WAIT_S)))
    return await strike.next()
