"""The sweep record: it says ``running`` first and ``complete`` last, and only then counts its exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...schemas.bounded import describe_error
from ...schemas.codec import UNSET, UnsetType, encode_pretty
from ...schemas.secrets import Secrets
from ...schemas.sweeps import Aggregate, ArtifactRow, MatrixResult, SweepRecord
from . import files
from .names import pack_artifact
from .slot import Emission, stamped
from .store import RunsDirectory


class SweepRecorder:
    """Keeps one sweep's record, its warnings and the list of its artifacts."""

    def __init__(self, store: RunsDirectory, record: SweepRecord, secrets: Secrets) -> None:
        """Write the record as ``running``; its sweep id becomes the first free one. Raises OSError."""
        self._store = store
        self._secrets = secrets
        self.sweep = store.claim(store.root, record.sweep, ".sweep.json", encode_pretty(record))
        self._record = replace(record, sweep=self.sweep)
        self._path = store.root / f"{self.sweep}.sweep.json"
        self.warnings: list[str] = list(record.warnings)
        self.artifacts: list[ArtifactRow] = []
        self.missing: list[str] = []

    @property
    def path(self) -> Path:
        return self._path

    def warn(self, message: str) -> None:
        self.warnings.append(message)

    def lose(self, what: str) -> None:
        """Note a piece of evidence or an output that could not be written: the sweep cannot be green any more."""
        self.missing.append(what)
        self.warnings.append(what)

    def write_emission(self, emission: Emission, *, pack: str = "", scenario_id: str = "", agent: str = "") -> None:
        """Write a scenario's or pack's hook artifact at the root; one that cannot be written costs a warning."""
        name = pack_artifact(self.sweep, emission.hook, scenario_id, emission.label)
        try:
            used = self._store.claim(
                self._store.root, name, ".pack.json", stamped(emission.payload, None, self._secrets)
            )
        except OSError as fault:
            self.warn(f"hook:{emission.hook}: its artifact was not written: {describe_error(fault)}")
            return
        if used != name:
            self.warn(f"hook:{emission.hook}: {name}.pack.json was taken, so its artifact is {used}.pack.json")
        self.artifacts.append(ArtifactRow(file=f"{used}.pack.json", hook=emission.hook, point=emission.point,
                                          pack=pack, scenario_id=scenario_id, agent=agent))

    def finish(
        self, aggregates: Sequence[Aggregate], exit_code: int, ended_at: str, note: str,
        matrices: list[MatrixResult] | UnsetType = UNSET,
    ) -> SweepRecord:
        """Replace the record by its complete form. Raises OSError."""
        runs: Counter[str] = Counter()
        for aggregate in aggregates:
            runs.update(aggregate.counts)
        done = replace(
            self._record, state="complete", exit_code=exit_code, ended_at=ended_at, note=note,
            counts=dict(sorted(runs.items())), batches=dict(sorted(Counter(a.verdict for a in aggregates).items())),
            matrices=matrices, artifacts=sorted(self.artifacts, key=lambda row: row.file), warnings=self.warnings,
        )
        files.replace(self._path, encode_pretty(done))
        return done
