"""Send the scenario's user turns, one after the other, until they are over or one ends the conversation."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from ..conversation import user_turns
from ..scopes import RunScope
from ..skeleton.contracts import contract
from ..turns import inject
from .base import RunStage, StageFailure


class InjectTurns(RunStage):
    name = "inject_turns"
    summary = "sends the scenario's user turns"
    phase = "drive"
    contract = contract("run", needs="fresh session", gives="injected", bars="injected evidence", ends="fresh")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        async with aclosing(user_turns(run)) as turns:
            async for turn in turns:
                await inject(run, turn)
                if run.stopped:
                    break


class InjectTurn(RunStage):
    name = "inject_turn"
    summary = "sends one user turn; for the body of each_turn"
    phase = "drive"
    contract = contract("turn", needs="session")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        if run.turn is None:
            raise StageFailure("there is no turn to send")
        await inject(run, run.turn)
