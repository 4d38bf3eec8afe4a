"""The one walker over a runs directory: a ``*.json`` whose stem contains a dot is a sidecar, never a trace.

What is foreign, torn or newer is skipped and told, never guessed at.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ...schemas.bounded import describe_error
from ...schemas.codec import decode
from ...schemas.errors import CodecFault
from ...schemas.input_file import read_input
from ...schemas.records import Trace
from ...schemas.scores import Score
from ...schemas.sweeps import Aggregate
from .names import APART, LEDGER, TRACE_NAME

MOST_BYTES = 256 << 20
READS = 1
Record = TypeVar("Record", Trace, Score)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Versioned:
    """What is read first, so that a newer file is told as that and not by what else has changed in it."""

    schema_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run on disk. ``score`` is None where the run was cut off before it was scored; ``sidecars`` are of hooks."""

    path: Path
    stem: str
    trace: Trace
    score: Score | None
    sidecars: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file that looks like a run and could not be read as one, with the reason."""

    path: Path
    reason: str


@dataclass(slots=True)
class Runs:
    """The runs of a directory, read one at a time; ``skipped`` and ``found`` are whole once the iteration is over."""

    root: Path
    found: int = 0
    skipped: list[Skipped] = field(default_factory=list)

    def __iter__(self) -> Iterator[Run]:
        self.found = 0
        self.skipped.clear()
        for path, sidecars in _traces(self.root):
            run = self._read(path, sidecars)
            if run is not None:
                self.found += 1
                yield run

    def told(self) -> str:
        """``10 of 12 runs could be read``, or "" where none was skipped."""
        total = self.found + len(self.skipped)
        return f"{self.found} of {total} runs could be read" if self.skipped else ""

    def _read(self, path: Path, sidecars: list[Path]) -> Run | None:
        score_path = path.with_suffix(".score.json")
        try:
            trace = _decode(path, Trace)
            score = _decode(score_path, Score) if score_path in sidecars else None
        except (OSError, CodecFault) as fault:
            reason = str(fault) if isinstance(fault, CodecFault) else describe_error(fault)
            self.skipped.append(Skipped(path=path, reason=reason))
            return None
        others = tuple(sidecar for sidecar in sidecars if sidecar != score_path)
        return Run(path=path, stem=path.stem, trace=trace, score=score, sidecars=others)


def load_runs(directory: str | Path) -> Runs:
    """The runs below a runs directory, sorted by pack, scenario, agent and time. Raises FileNotFoundError."""
    root = Path(directory)
    if not root.is_dir():
        raise FileNotFoundError(f"{root}: there is no such runs directory")
    return Runs(root)


def load_ledger(directory: str | Path) -> tuple[list[Aggregate], int]:
    """The rows of the ledger, and how many lines (a torn last one, say) were skipped."""
    rows: list[Aggregate] = []
    skipped = 0
    path = Path(directory) / LEDGER
    if not path.is_file():
        return rows, skipped
    with path.open("rb") as lines:
        for line in lines:
            try:
                row = decode(line, Aggregate)
            except CodecFault:
                skipped += 1
                continue
            if row.schema_version == READS:
                rows.append(row)
            else:
                skipped += 1
    return rows, skipped


def read_run(path: str | Path) -> Run:
    """One run by its trace's path. Raises OSError and CodecFault, whose text says what the file is not."""
    trace_path = Path(path)
    siblings = sorted(trace_path.parent.glob(f"{trace_path.stem}.*.json"))
    runs = Runs(trace_path.parent)
    run = runs._read(trace_path, siblings)
    if run is None:
        raise CodecFault(f"{trace_path}: {runs.skipped[0].reason}")
    return run


def _traces(root: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Each trace with its sidecars; links to folders are not followed, nor the evidence of selftests counted."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if name != APART)
        stems: dict[str, list[Path]] = {
            name.removesuffix(".json"): [] for name in sorted(names) if TRACE_NAME.match(name)
        }
        for name in sorted(names):
            stem, dot, rest = name.partition(".")
            if dot and stem in stems and rest != "json" and rest.endswith(".json"):
                stems[stem].append(Path(folder, name))
        for stem, sidecars in stems.items():
            yield Path(folder, f"{stem}.json"), sidecars


def _decode(path: Path, kind: type[Record]) -> Record:
    data = read_input(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise CodecFault(f"larger than {MOST_BYTES >> 20} MiB")
    version = decode(data, _Versioned).schema_version
    if version != READS:
        raise CodecFault(f"schema_version {version}; this version reads {READS}")
    return decode(data, kind)
