"""Plant something in the first run and ask for it in the next ones, which have sessions of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.scenario_documents import UserTurn
from ...schemas.templates import template_faults
from ..scopes import RunScope
from ..skeleton.contracts import contract
from ..turns import inject
from .base import RunStage


class InjectCanary(RunStage):
    name = "inject_canary"
    summary = "sends one user turn: `plant` in the first run of a batch, `ask` in all others"
    phase = "drive"
    contract = contract("run", needs="fresh session", gives="injected", bars="injected evidence", ends="fresh")
    parameters = {  # noqa: RUF012 - read only, as every contract is
        "plant": "the turn of the first run; a template, as turns are; required",
        "ask": "the turn of every other run; required",
        "ask_when": "an expression; where it does not hold, nothing is asked",
    }

    def faults(self, params: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        yield from super().faults(params)
        for name in ("plant", "ask", "ask_when"):
            text = params.get(name)
            if text is None and name == "ask_when":
                continue
            if not isinstance(text, str) or not text.strip():
                yield name, f"{self.name} needs {name}, a text", "write what the user says"
                continue
            for fault in template_faults(text, "turn", {}, expression=name == "ask_when"):
                yield name, fault, "it may use vars, case and now"

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        first = run.number == 1
        turn = UserTurn(
            user=params["plant" if first else "ask"], when=None if first else params.get("ask_when"),
            mark=run.batch.scenario.mark,
        )
        await inject(run, turn)
