"""Record what the agent is shown: its prompt, its tools in order, its guards, its sampling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.codec import to_plain
from ..scopes import RunScope
from ..skeleton.contracts import contract
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
            "tools": [to_plain(definition) for definition in run.session.host.definitions()],
            "guards": list(batch.agent.guards),
            **batch.handle.describe_surface(run.session),
        }
        run.surface = batch.sweep.secrets.mask_value(clean_value(shown))
