"""Count the batch: what its runs came to, with nothing left out of the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..scopes import BatchScope
from ..scoring import aggregate_batch
from ..skeleton.contracts import contract
from .base import BatchStage


class AggregateRuns(BatchStage):
    name = "aggregate"
    summary = "counts the runs of the batch and gives its verdict"
    contract = contract("batch", needs="runs", gives="aggregate", bars="aggregate")

    async def run(self, batch: BatchScope, params: Mapping[str, Any]) -> None:
        sweep = batch.sweep
        batch.aggregate = aggregate_batch(
            batch.outcomes, batch.scenario, batch.agent, sweep=sweep.sweep_id, pack=batch.pack.name,
            label=sweep.options.label, today=sweep.today,
        )
