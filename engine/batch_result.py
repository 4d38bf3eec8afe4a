"""What a batch keeps of each run: verdict and reason, never the evidence, so that memory does not grow with runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..schemas.codec import UNSET
from ..schemas.scenario_documents import LAYERS
from ..schemas.scores import LayerResult, RunVerdict, Score
from ..schemas.sweeps import ArtifactRow
from .scopes import BatchScope, RunOutcome, RunScope
from .scoring import side_effect_performed
from .scoring.aggregate import in_force


def gates(batch: BatchScope) -> bool:
    """Whether a FAIL of this batch's runs makes the sweep exit 1, as far as one run can tell."""
    known = in_force(batch.scenario.known_failure, batch.sweep.today)
    return batch.agent.gate and known is None and batch.scenario.min_pass_rate is None


def bare_score(run_id: str, batch: BatchScope, verdict: RunVerdict, note: str) -> Score:
    """A score for a run that could not be scored: no layer is decided, the note says why."""
    layers = {name: LayerResult(passed=None, gate=False, detail="not decided") for name in (*LAYERS, "integrity")}
    return Score(run_id=run_id, scenario_id=batch.scenario.id, agent=batch.agent.id, verdict=verdict,
                 failed_layers=[], layers=layers, notes=[note])


def not_run(batch: BatchScope, number: int) -> RunOutcome:
    """A run that was asked for and never made, or cut off before its score: counted, never passed."""
    why = f"interrupted by {batch.sweep.interrupted}" if batch.sweep.interrupted else "not run"
    return RunOutcome(number=number, verdict="NOT_RUN", reason=why, stem="")


def keep_outcome(run: RunScope, artifacts: Sequence[ArtifactRow]) -> None:
    """Put a finished run into its batch and tell it to whoever watches."""
    batch = run.batch
    score = run.score
    if score is None:
        why = "; ".join(f"{error.stage}: {error.message}" for error in run.errors) or "the run was not scored"
        score = bare_score(run.run_id, batch, "ERROR", why)
    outcome = RunOutcome(
        number=run.number, verdict=score.verdict, reason=sys.intern(score.reason),  # runs of a batch fail alike
        stem=run.slot.stem if run.trace is not None else "",
        side_effect=run.trace is not None and side_effect_performed(run.trace),
        guard_fault=any(i.fault is not UNSET for i in run.witness.interventions), seconds=run.driven_s,
    )
    batch.outcomes.append(outcome)
    batch.sweep.progress.run_done(batch, outcome, artifacts, tuple(run.slot.warnings))
