"""Make the agent ready: let its runtime take what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..scopes import BatchScope
from ..skeleton.contracts import contract
from ..within import Overdue, within
from .base import BatchStage, StageFailure

PROVISION_TIMEOUT_S = 120.0


class Provision(BatchStage):
    name = "provision"
    summary = "makes the agent ready"
    contract = contract("batch", gives="handle", bars="handle ended")

    async def run(self, batch: BatchScope, params: Mapping[str, Any]) -> None:
        try:
            batch.handle = await within(batch.runtime.provision(batch.resolved, batch.pack), PROVISION_TIMEOUT_S)
        except Overdue:
            raise StageFailure(f"the agent was not ready within {PROVISION_TIMEOUT_S:g} s") from None
