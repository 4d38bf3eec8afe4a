"""Leave nothing of the run before in the agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..runtimes.base import nothing_to_reset
from ..scopes import RunScope
from ..skeleton.contracts import contract
from ..within import Overdue, within
from .base import RunStage, StageFailure

RESET_TIMEOUT_S = 60.0


class ResetState(RunStage):
    name = "reset_state"
    summary = "leaves nothing of the run before in the agent"
    phase = "setup"
    contract = contract(
        "run", needs="handle", gives="fresh", ends="session surface injected evidence trace score scored"
    )

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        handle = run.batch.handle
        if handle is None:
            raise StageFailure("there is no agent to reset")
        if getattr(handle.reset_state, "__func__", None) is nothing_to_reset:
            return  # a task and a deadline of its own would be a twentieth of a scripted run
        try:
            await within(handle.reset_state(), RESET_TIMEOUT_S)
        except Overdue as overdue:
            run.batch.retired = run.batch.retired or overdue.stuck
            raise StageFailure(f"the agent did not reset within {RESET_TIMEOUT_S:g} s") from None
