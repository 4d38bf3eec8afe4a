"""What a run leaves behind: frozen records that the sidecars mirror. A fact that is absent is UNSET, never null."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .codec import UNSET, UnsetType
from .surfaces import Surface

CallStatus = Literal["ok", "error", "refused", "cancelled"]
RunVerdict = Literal["PASS", "FAIL", "INVALID", "ERROR", "NOT_RUN"]
BatchVerdict = Literal["PASS", "PASS_WITH_VARIANCE", "FAIL", "INVALID", "ERROR", "NOT_RUN", "SKIPPED"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One witnessed tool call. ``n`` counts from 1 within the run; ``seconds`` are of the run's clock.

    ``args`` is an object, or the text as it came where it could not be read as one.
    """

    n: int
    turn: int
    name: str
    effect: str | UnsetType = UNSET
    args: Any
    status: CallStatus
    text: str | UnsetType = UNSET
    rows: list[Any] | UnsetType = UNSET
    error: str | UnsetType = UNSET
    started_at: str
    seconds: float
    provider_call_id: str | UnsetType = UNSET
    reported: bool | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the endpoint counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user turn and what came back. ``simulated_by`` is the helper that made it up, UNSET for a fixed turn.

    ``usage`` is UNSET where any model call of the turn did not tell it.
    """

    n: int
    user: str
    simulated_by: str | UnsetType = UNSET
    reply: str | UnsetType = UNSET
    error: str | UnsetType = UNSET
    timed_out: bool | UnsetType = UNSET
    finish_reason: str | UnsetType = UNSET
    usage: Usage | UnsetType = UNSET
    started_at: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervention:
    """A guard refused a call: by decision, or (``fault``) because it failed and guards fail closed."""

    call: int
    guard: str
    message: str
    fault: str | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class StageError:
    """A stage or turn that did not do its work. ``kind`` bench errors make the run ERROR; timeouts are told by kind."""

    stage: str
    kind: Literal["bench", "timeout"]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """The final rows of a table; ``total`` is how many there were where ``rows`` was cut."""

    rows: list[dict[str, Any]]
    cut: bool | UnsetType = UNSET
    total: int | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The frozen evidence of a run. ``digest`` is over all but itself and ``worker_warnings``.

    ``matrix_of`` and ``sampling`` are UNSET where the scenario is no cell of a matrix.
    """

    schema_version: int = 1
    run_id: str
    session_id: str
    run_number: int
    pack: str
    scenario_id: str
    matrix_of: str | UnsetType = UNSET
    sampling: dict[str, Any] | UnsetType = UNSET
    agent: str
    model: str
    started_at: str
    seconds: float
    turns: list[Turn] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    surface: Surface = field(default_factory=Surface)
    perturbations: list[dict[str, Any]] = field(default_factory=list)
    interventions: list[Intervention] = field(default_factory=list)
    world: dict[str, TableState] = field(default_factory=dict)
    errors: list[StageError] = field(default_factory=list)
    worker_warnings: list[str] = field(default_factory=list)
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found. ``passed`` None: skipped by ``when``. ``error``: the grader failed: the run is ERROR."""

    layer: str
    check: str
    type: str
    passed: bool | None
    gate: bool = True
    detail: str
    expected: Any = UNSET
    found: Any = UNSET
    error: bool | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerResult:
    """``passed`` None: not declared (or, on ERROR and INVALID, not decided)."""

    passed: bool | None
    gate: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The layers and verdict of one run; ``layers`` has outcome, trajectory, constraint and integrity."""

    schema_version: int = 1
    run_id: str
    scenario_id: str
    agent: str
    verdict: RunVerdict
    failed_layers: list[str]
    layers: dict[str, LayerResult]
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def outcome(self) -> LayerResult:
        return self.layers["outcome"]

    @property
    def trajectory(self) -> LayerResult:
        return self.layers["trajectory"]

    @property
    def constraint(self) -> LayerResult:
        return self.layers["constraint"]

    @property
    def integrity(self) -> LayerResult:
        return self.layers["integrity"]

    @property
    def reason(self) -> str:
        """The first thing that keeps this run from PASS, as a result line tells it; "" on PASS."""
        if self.verdict == "PASS":
            return ""
        if self.verdict != "FAIL" and self.notes:
            return self.notes[0]
        failed = [name for name in self.failed_layers if self.layers[name].gate] or self.failed_layers
        return f"{failed[0]}: {self.layers[failed[0]].detail}" if failed else "; ".join(self.notes)


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
