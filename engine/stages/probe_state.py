"""Look at what the agent keeps outside the world; a look that fails is a fault to be told, never the run's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...hooks.state.snapshot import StateProbeFault, look_through
from ..foreign import ForeignFault, run_foreign
from ..scopes import Look, RunScope
from ..skeleton.contracts import contract
from .base import RunStage

LONGEST_LOOK_S = 130.0
"""A declared probe ends by its own ``timeout_s`` before that."""


class ProbeState(RunStage):
    name = "probe_state"
    summary = "looks at the state outside the world through the pack's state probe, if there is one"
    contract = contract("run", needs="fresh", again=True)

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        probe = run.batch.state_probe
        if probe is None:
            return
        try:
            look = Look(snapshot=await run_foreign(look_through, probe, timeout_s=LONGEST_LOOK_S))
        except ForeignFault as fault:
            told = fault.__cause__ if isinstance(fault.__cause__, StateProbeFault) else fault
            look = Look(fault=run.batch.sweep.secrets.mask(str(told)))
        run.batch.looks[run.number] = look
