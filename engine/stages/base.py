"""A stage does one thing of a run, says as data what it needs and gives, and ends with a value when it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from ...schemas.nearest import did_you_mean
from ..scopes import BatchScope, RunScope
from ..skeleton.contracts import Contract

# what a failure means for the run: it never began; go on at the capture; go on at the next step
Phase = Literal["setup", "drive", "record"]


class StageFailure(Exception):
    """The stage could not do its work; the text becomes the run's error."""


class Stage:
    """What every member of ``stages/`` is. ``parameters`` maps a parameter's name to what it means."""

    name: ClassVar[str]
    summary: ClassVar[str]
    contract: ClassVar[Contract]
    parameters: ClassVar[Mapping[str, str]] = {}

    def faults(self, params: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Yield (parameter, what is wrong, what to do) for each fault of the declared parameters."""
        for name in params:
            if name not in self.parameters:
                remedy = did_you_mean(name, self.parameters, what="its parameters")
                yield name, f"stage '{self.name}' has no parameter '{name}'", remedy


class BatchStage(Stage):
    """A stage of a whole batch."""

    async def run(self, batch: BatchScope, params: Mapping[str, Any]) -> None:
        """Do the work. Raises StageFailure (or RuntimeFault): every run of the batch is then ERROR."""
        raise NotImplementedError


class RunStage(Stage):
    """A stage of one run, or of one turn of it."""

    phase: ClassVar[Phase] = "record"

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        """Do the work. Raises StageFailure (or RuntimeFault); ``phase`` says how the walk goes on."""
        raise NotImplementedError
