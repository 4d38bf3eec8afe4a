"""Record what the agent is shown: its prompt, its tools in order, its guards, its sampling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.cells import cell_text
from ...schemas.codec import encode, to_plain
from ..scopes import BatchScope, RunScope
from ..skeleton.contracts import contract
from ..tools.guards import guards_surface
from .base import RunStage, StageFailure


class CaptureSurface(RunStage):
    name = "capture_surface"
    summary = "records what the agent is shown"
    phase = "drive"
    contract = contract("run", needs="session", gives="surface", bars="injected")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        batch = run.batch
        if run.session is None or batch.handle is None:
            raise StageFailure("there is no session")
        shown: dict[str, Any] = {
            "tools": run.session.host.definitions(),
            "guards": guards_surface(batch.agent.guards, batch.pack.guards, batch.resolved.guards),
            **batch.handle.describe_surface(run.session),
        }
        run.surface = batch.sweep.secrets.mask_value(_cleaned(batch, shown))
        if batch.scenario.sampling:
            run.witness.record_perturbation(_cell_mark(batch, shown.get("sampling")))


def _cell_mark(batch: BatchScope, told: Any) -> dict[str, Any]:
    """The evidence of a matrix: whether the agent samples as the cell says, by what its runtime tells (integrity)."""
    mask = batch.sweep.secrets.mask_value
    cell, shown = mask(clean_value(dict(batch.scenario.sampling))), mask(clean_value(told))
    held = isinstance(shown, dict) and all(key in shown and shown[key] == value for key, value in cell.items())
    detail = cell_text(cell) if held else f"the runtime does not show {cell_text(cell)}"
    return {"type": "sampling", "applied": held, "met": held, "calls": [], "detail": detail}


def _cleaned(batch: BatchScope, shown: dict[str, Any]) -> dict[str, Any]:
    """The surface as strict JSON holds it. Runs of a batch that are shown the same, byte for byte, share it."""
    try:
        seen = encode(shown)
    except Exception:  # noqa: BLE001 - what a runtime tells may be anything, and cleaning it raises nothing
        seen = b""
    if not seen or seen != batch.surface_seen:
        plain = {**shown, "tools": [to_plain(definition) for definition in shown["tools"]]}
        batch.surface_seen, batch.surface = seen, clean_value(plain)
    return batch.surface
