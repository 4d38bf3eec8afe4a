"""Who watches a sweep hears of it here; what they do with it changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ..schemas.sweeps import Aggregate, ArtifactRow

if TYPE_CHECKING:
    from .scopes import BatchScope, RunOutcome, SweepScope


class Progress(Protocol):
    """Told on the engine's loop, in the order in which things happen; must return at once and not raise."""

    def sweep_started(self, sweep: SweepScope, runs: int) -> None: ...

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        """A run has its verdict; ``warnings`` are those that its trace holds."""
        ...

    def batch_done(self, aggregate: Aggregate) -> None:
        """A batch is counted; called in selection order."""
        ...

    def warn(self, line: str) -> None:
        """A warning of scenario or pack scope."""
        ...


class Silent:
    """Nobody watches."""

    def sweep_started(self, sweep: SweepScope, runs: int) -> None:
        pass

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        pass

    def batch_done(self, aggregate: Aggregate) -> None:
        pass

    def warn(self, line: str) -> None:
        pass
