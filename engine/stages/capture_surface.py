"""Record what the agent is shown: its prompt, its tools in order, its guards, its sampling, each by its hash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.cells import cell_text
from ..scopes import BatchScope, RunScope
from ..skeleton.contracts import contract
from ..tools.guards import guards_surface
from .base import RunStage, StageFailure


class CaptureSurface(RunStage):
    name = "capture_surface"
    summary = "records what the agent is shown, hashed segment by segment"
    phase = "drive"
    contract = contract("run", needs="session", gives="surface", bars="injected")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        batch = run.batch
        if run.session is None or batch.handle is None:
            raise StageFailure("there is no session")
        model = batch.handle.model
        shown: dict[str, Any] = {
            "tools": run.session.host.definitions(),
            "guards": guards_surface(batch.agent.guards, batch.pack.guards, batch.resolved.guards),
            **({"model": model} if model else {}),
            **batch.handle.describe_surface(run.session),
        }
        run.surface = batch.surface = batch.sweep.surfaces.of(shown)
        if batch.scenario.sampling:
            run.witness.record_perturbation(_mark(batch, shown.get("sampling")))


def _mark(batch: BatchScope, told: Any) -> dict[str, Any]:
    """The evidence of a matrix: whether the agent samples as the cell says, by what its runtime shows (integrity)."""
    mask = batch.sweep.secrets.mask_value
    cell, shown = mask(clean_value(dict(batch.scenario.sampling))), mask(clean_value(told))
    held = isinstance(shown, dict) and all(key in shown and shown[key] == value for key, value in cell.items())
    detail = cell_text(cell) if held else f"the runtime does not show {cell_text(cell)}"
    return {"type": "sampling", "applied": held, "met": held, "calls": [], "detail": detail}
