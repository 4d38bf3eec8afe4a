"""A run's place on disk: trace and score at once, hook artifacts and warnings when the slot closes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...hooks.channel import FaultLines
from ...schemas.bounded import describe_error
from ...schemas.codec import decode, encode_pretty
from ...schemas.records import Trace
from ...schemas.scores import Score
from ...schemas.secrets import Secrets
from ...schemas.sweeps import ArtifactRow
from . import files
from .names import run_artifact
from .store import RunsDirectory


@dataclass(slots=True)
class ConverseLog:
    """What a hook's converse calls of one run came to."""

    timed_out: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Emission:
    """An artifact that a hook has emitted and that is not yet written."""

    hook: str
    point: str
    label: str
    payload: bytes


def stamped(payload: bytes, log: ConverseLog | None, secrets: Secrets) -> bytes:
    """The artifact's bytes, masked, with the engine's stamps over the payload's own keys where the hook conversed."""
    value: Any = secrets.mask_value(decode(payload, Any))
    if log is not None:
        if not isinstance(value, dict):
            value = {"payload": value}
        value |= {"tools_disabled": False, "timed_out": log.timed_out, "error": log.error}
    return encode_pretty(value)


@dataclass(slots=True, kw_only=True)
class RunSlot:
    """Buffers what hooks say about one run and writes it once; the evidence in the trace never changes."""

    store: RunsDirectory
    secrets: Secrets
    key: tuple[str, str, str]
    stem: str
    warnings: list[str] = field(default_factory=list)
    emissions: list[Emission] = field(default_factory=list)
    faults: FaultLines = field(default_factory=FaultLines)
    converse: dict[str, ConverseLog] = field(default_factory=dict)
    closed: bool = False
    _trace: Trace | None = None
    _folder: Path | None = None

    def freeze(self, trace: Trace) -> None:
        """Write the trace under the first free stem. Raises OSError."""
        self._folder = self.store.batch_folder(*self.key)
        self.stem = self.store.claim(self._folder, self.stem, ".json", encode_pretty(trace))
        self._trace = trace

    def write_score(self, score: Score) -> None:
        """Write ``<stem>.score.json``. Raises OSError."""
        if self._folder is None:
            raise FileNotFoundError(2, "there is no trace to stand beside", self.stem)
        files.write_first(self._folder, [f"{self.stem}.score.json"], encode_pretty(score))

    def relative_score(self) -> str:
        return "/".join((*self.key, f"{self.stem}.score.json"))

    def close(self, run_id: str) -> list[ArtifactRow]:
        """Write the artifacts, then the trace once more if the run has warnings that it does not hold yet.

        A file that cannot be written costs a warning and nothing else. What comes after the close is dropped.
        """
        self.closed = True
        rows = [row for emission in self.emissions if (row := self._write(emission, run_id)) is not None]
        self.warnings.extend(self.faults.lines())
        trace, folder = self._trace, self._folder
        if trace is not None and folder is not None and self.warnings != trace.worker_warnings:
            whole = replace(trace, worker_warnings=list(self.warnings))
            try:
                files.replace(folder / f"{self.stem}.json", encode_pretty(whole))
            except OSError as fault:
                self.warnings.append(f"trace {self.stem}: its warnings could not be written: {describe_error(fault)}")
        return rows

    def _write(self, emission: Emission, run_id: str) -> ArtifactRow | None:
        if self._folder is None:
            self.warnings.append(f"hook:{emission.hook}: its artifact was not written: the run has no trace on disk")
            return None
        name = run_artifact(self.stem, emission.hook, emission.label)
        try:
            used = self.store.claim(
                self._folder, name, ".json", stamped(emission.payload, self.converse.get(emission.hook), self.secrets)
            )
        except OSError as fault:
            self.warnings.append(f"hook:{emission.hook}: its artifact was not written: {describe_error(fault)}")
            return None
        if used != name:
            self.warnings.append(f"hook:{emission.hook}: {name}.json was taken, so its artifact is {used}.json")
        pack, scenario_id, agent = self.key
        return ArtifactRow(file="/".join((*self.key, f"{used}.json")), hook=emission.hook, point=emission.point,
                           pack=pack, scenario_id=scenario_id, agent=agent, run_id=run_id)
