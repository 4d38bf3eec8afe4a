"""Prepare the scenario's world once, so that each run gets a copy of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.errors import TemplateFault
from ..scopes import BatchScope
from ..skeleton.contracts import contract
from ..world import SqlFault, prepare_world
from .base import BatchStage, StageFailure


class CheckWorld(BatchStage):
    name = "check_world"
    summary = "builds the world's tables once and checks that they hold"
    contract = contract("batch", gives="world", bars="world")

    async def run(self, batch: BatchScope, params: Mapping[str, Any]) -> None:
        try:
            batch.prepared = prepare_world(batch.scenario.world, batch.names)
        except (SqlFault, TemplateFault) as fault:
            raise StageFailure(f"the world of scenario '{batch.scenario.id}': {fault}") from None
