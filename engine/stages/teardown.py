"""Give back what the agent took; always, whatever happened above."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..scopes import BatchScope
from ..skeleton.contracts import contract
from ..within import Overdue, within
from .base import BatchStage, StageFailure

TEARDOWN_TIMEOUT_S = 30.0


class Teardown(BatchStage):
    name = "teardown"
    summary = "gives the agent and its helpers back; always runs"
    contract = contract("batch", needs="handle", gives="ended", ends="handle")

    async def run(self, batch: BatchScope, params: Mapping[str, Any]) -> None:
        if batch.prepared is not None:
            batch.prepared.close()
        for told in await batch.aux.close():
            batch.sweep.recorder.warn(f"{'/'.join(batch.key)}: teardown: {told}")
        handle, batch.handle = batch.handle, None
        if handle is None:
            return
        try:
            await within(handle.teardown(), TEARDOWN_TIMEOUT_S)
        except Overdue:
            raise StageFailure(f"the agent was not torn down within {TEARDOWN_TIMEOUT_S:g} s") from None
