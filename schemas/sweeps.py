"""What a sweep leaves behind: a row a batch, the artifacts of hooks, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .codec import UNSET, UnsetType
from .scores import BatchVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A batch's result, and a row of the ledger. ``counts`` is by run verdict and sums to ``runs``.

    ``gates``: a FAIL of this batch would be exit 1; ``failed``: it is (a FAIL, or a pass that ``known_failure`` did not
    expect). ``seconds`` is what its turns took in all, by the runs' clocks. ``matrix_of`` and ``sampling`` are those of
    a cell of a matrix, else UNSET.
    """

    schema_version: int = 1
    sweep: str
    pack: str
    scenario_id: str
    matrix_of: str | UnsetType = UNSET
    sampling: dict[str, Any] | UnsetType = UNSET
    agent: str
    label: str = ""
    verdict: BatchVerdict
    gates: bool
    failed: bool = False
    runs: int
    counts: dict[str, int]
    pass_rate: float | None
    min_pass_rate: float | None = None
    reason: str = ""
    failure_risk: float | None = None
    robustness: float | None = None
    known_failure: Mapping[str, str] | None = None
    skip: str | None = None
    guard_faults: int = 0
    seconds: float = 0.0
    run_stems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellResult:
    """One agent in one cell of a matrix; ``scenario_id`` is the cell's own."""

    scenario_id: str
    sampling: dict[str, Any]
    agent: str
    verdict: BatchVerdict
    passed: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixResult:
    """What a scenario with a matrix came to; ``scenario_id`` is its own, without any cell."""

    pack: str
    scenario_id: str
    cells: list[CellResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResults:
    """The results of a sweep as ``--json`` writes them: ledger rows and the exit code that they came to."""

    schema_version: int = 1
    sweep: str
    exit_code: int
    results: list[Aggregate]
    matrices: list[MatrixResult] | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactRow:
    """One hook artifact as the sweep record lists it."""

    file: str
    hook: str
    point: str
    pack: str
    scenario_id: str = ""
    agent: str = ""
    run_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedRow:
    """Agents that no pack declares: from a file, or from options, which hold no secret."""

    ids: list[str]
    file: str = ""
    sha256: str = ""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRecord:
    """What one ``wt run`` was asked, with what versions and hooks, and how it ended.

    ``state`` is running first and complete last; the exit code counts only in a complete record.
    """

    schema_version: int = 1
    sweep: str
    state: Literal["running", "complete", "interrupted", "died"]
    started_at: str
    ended_at: str = ""
    exit_code: int | None = None
    label: str = ""
    asked: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    packs: dict[str, str] = field(default_factory=dict)
    added_agents: list[AddedRow] | UnsetType = UNSET
    hooks: list[str] = field(default_factory=list)
    planned_runs: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    batches: dict[str, int] = field(default_factory=dict)
    matrices: list[MatrixResult] | UnsetType = UNSET
    excluded: list[dict[str, str]] = field(default_factory=list)
    artifacts: list[ArtifactRow] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    note: str = ""
