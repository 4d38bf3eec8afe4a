"""Freeze the evidence of a run: digest it, and put it on disk before anybody looks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ...schemas.bounded import describe_error
from ...schemas.cells import cell_of
from ...schemas.codec import UNSET, canonical
from ...schemas.records import Trace
from ..scopes import RunScope
from ..skeleton.contracts import contract
from .base import RunStage, StageFailure

CONSTANT = {"schema_version": next(member.default for member in fields(Trace) if member.name == "schema_version")}
NO_EVIDENCE = ("digest", "worker_warnings")


def trace_digest(members: Mapping[str, Any]) -> str:
    """The sha256, in hex, of a trace's members without ``digest`` and ``worker_warnings``, as canonical JSON."""
    evidence = {name: value for name, value in members.items() if name not in NO_EVIDENCE and value is not UNSET}
    return hashlib.sha256(canonical({**CONSTANT, **evidence})).hexdigest()


class FreezeTrace(RunStage):
    name = "freeze_trace"
    summary = "digests the evidence and writes the trace"
    contract = contract("run", needs="evidence", gives="trace", bars="trace")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        members = self._members(run)
        trace = Trace(**members, digest=trace_digest(members))
        try:
            run.slot.freeze(trace)
        except OSError as fault:
            message = f"the trace {run.slot.stem} could not be written: {describe_error(fault)}"
            run.batch.sweep.recorder.lose(message)
            raise StageFailure(message) from None
        run.trace = trace

    def _members(self, run: RunScope) -> dict[str, Any]:
        """All of them that have no constant value: what is left out would be in no digest."""
        batch, witness = run.batch, run.witness
        return {
            "run_id": run.run_id,
            "session_id": run.session_id,
            "run_number": run.number,
            "pack": batch.pack.name,
            "scenario_id": batch.scenario.id,
            **cell_of(batch.scenario),
            "agent": batch.agent.id,
            "model": batch.sweep.secrets.mask(batch.handle.model) if batch.handle is not None else "",
            "started_at": run.started_at,
            "seconds": round(run.driven_s, 6),
            "turns": list(witness.turns),
            "calls": sorted(witness.calls, key=lambda call: call.n),
            "surface": run.surface,
            "perturbations": list(witness.perturbations),
            "interventions": list(witness.interventions),
            "world": run.final_world,
            "errors": list(run.errors),
            "worker_warnings": list(run.slot.warnings),
        }
