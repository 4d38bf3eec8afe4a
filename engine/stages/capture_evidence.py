"""Close the witness and look at the world: what happens from now on is no evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.records import StageError, TableState
from ..scopes import RunScope
from ..skeleton.contracts import contract
from .base import RunStage


class CaptureEvidence(RunStage):
    name = "capture_evidence"
    summary = "closes the witness and records the final rows of the world"
    contract = contract("run", needs="injected session", gives="evidence", bars="evidence trace")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        run.witness.seal()
        if run.session is not None:
            faults = run.session.host.faults  # first: a script may have stumbled over them
            run.errors[:0] = [StageError(stage="inject_turns", kind="bench", message=fault) for fault in faults]
        if run.world is None:
            return
        secrets = run.batch.sweep.secrets
        final = run.world.snapshot()
        if secrets:
            final = {name: TableState(rows=secrets.mask_value(state.rows), cut=state.cut, total=state.total)
                     for name, state in final.items()}
        run.final_world = final
