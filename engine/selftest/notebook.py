"""Keep what each reference came to, while it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...schemas.scores import RunVerdict
from ...schemas.sweeps import Aggregate, ArtifactRow
from ..progress import Progress
from ..scopes import BatchScope, Examined, RunOutcome, SweepScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A reference that was played. ``examined`` is empty where the run could not be scored."""

    verdict: RunVerdict
    reason: str
    stem: str = ""
    examined: tuple[Examined, ...] = ()

    @property
    def caught_by(self) -> tuple[Examined, ...]:
        """The checks that failed, of those that gate."""
        return tuple(one for one in self.examined if one.failed and (one.check is None or one.check.gate))


NOT_PLAYED = Played(verdict="NOT_RUN", reason="it was not played")


class Notebook:
    """A Progress that keeps what it hears, and passes it on. Keys are pack, scenario and the reference's agent id."""

    def __init__(self, listener: Progress) -> None:
        self._listener = listener
        self.played: dict[tuple[str, str, str], Played] = {}

    def sweep_started(self, sweep: SweepScope, runs: int) -> None:
        self._listener.sweep_started(sweep, runs)

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        self.played[batch.key] = Played(
            verdict=outcome.verdict, reason=outcome.reason, stem=outcome.stem,
            examined=batch.examined.get(outcome.number, ()),
        )
        self._listener.run_done(batch, outcome, artifacts, warnings)

    def batch_done(self, aggregate: Aggregate) -> None:
        self._listener.batch_done(aggregate)

    def warn(self, line: str) -> None:
        self._listener.warn(line)
