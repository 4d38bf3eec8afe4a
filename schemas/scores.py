"""What scoring makes of a run: findings, layers, and a verdict. A fact that is absent is UNSET, never null."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .codec import UNSET, UnsetType

RunVerdict = Literal["PASS", "FAIL", "INVALID", "ERROR", "NOT_RUN"]
BatchVerdict = Literal["PASS", "PASS_WITH_VARIANCE", "FAIL", "INVALID", "ERROR", "NOT_RUN", "SKIPPED"]


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
