"""Make the agent ready: let its runtime take what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..scopes import BatchScope
from ..skeleton.contracts import contract
from .base import BatchStage


class Provision(BatchStage):
    name = "provision"
    summary = "makes the agent ready"
    contract = contract("batch", gives="handle", bars="handle ended")

    async def run(self, batch: BatchScope, params: Mapping[str, Any]) -> None:
        batch.handle = await batch.runtime.provision(batch.resolved, batch.pack)
