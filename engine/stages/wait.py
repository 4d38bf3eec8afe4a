"""Wait for effects that arrive after the last reply: until a condition holds or the time is over; it never fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.errors import TemplateFault
from ...schemas.templates import holds, template_faults
from ..scopes import RunScope
from ..skeleton.contracts import contract
from .base import RunStage

MOST_S = 600.0
STEP_S = 0.02


class Wait(RunStage):
    name = "wait"
    summary = "waits until a condition holds or max_s is over"
    phase = "drive"
    contract = contract("run", needs="session", bars="evidence", again=True)
    parameters = {  # noqa: RUF012 - read only, as every contract is
        "max_s": "the longest wait, in seconds; required",
        "until": "an expression over turns, calls and world that ends the wait early",
    }

    def faults(self, params: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        yield from super().faults(params)
        longest, until = params.get("max_s"), params.get("until")
        if isinstance(longest, bool) or not isinstance(longest, int | float) or not 0 < longest <= MOST_S:
            yield "max_s", "wait needs max_s, a number of seconds", f"write a number above 0, at most {MOST_S:g}"
        if until is not None and not isinstance(until, str):
            yield "until", "this is no expression", "write it as text, such as \"calls | length > 0\""
        elif until is not None:
            for fault in template_faults(until, "wait", {}, expression=True):
                yield "until", fault, "it may use turns, calls and world"

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        until: str | None = params.get("until")
        end = run.clock.elapsed() + float(params["max_s"])
        while not (until and self._holds(run, until)):
            left = end - run.clock.elapsed()
            if left <= 0:
                break
            await run.clock.sleep(min(STEP_S, left))

    def _holds(self, run: RunScope, until: str) -> bool:
        world = run.world.tables() if run.world is not None else {}
        try:
            return holds(until, {**run.witness.facts(), "world": world})
        except TemplateFault:
            return False  # a fact that is not there yet
