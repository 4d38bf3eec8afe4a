"""Count a batch: every run that was asked for is counted once, and what is missing never counts as passed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol, get_args

from ...schemas.cells import cell_of
from ...schemas.documents import Agent
from ...schemas.scenario_documents import KnownFailure, Scenario
from ...schemas.scores import BatchVerdict, RunVerdict
from ...schemas.sweeps import Aggregate
from .cost import failure_risk
from .shown import clip

MISSING: tuple[RunVerdict, ...] = ("INVALID", "ERROR", "NOT_RUN")


class Outcome(Protocol):
    """What a batch keeps of a run; ``reason`` is ``Score.reason``. ``side_effect`` and ``guard_fault``: had it one."""

    @property
    def verdict(self) -> RunVerdict: ...
    @property
    def reason(self) -> str: ...
    @property
    def stem(self) -> str: ...
    @property
    def side_effect(self) -> bool: ...
    @property
    def guard_fault(self) -> bool: ...
    @property
    def seconds(self) -> float: ...


def aggregate_batch(
    outcomes: Sequence[Outcome], scenario: Scenario, agent: Agent, *,
    sweep: str, pack: str, today: date, label: str = "", runs: int | None = None,
) -> Aggregate:
    """The result of one batch; ``runs`` is how many were asked for, by default the scenario's: the rest is NOT_RUN.

    ``known_failure`` is kept while it is in force: a FAIL does not gate, and a PASS of the whole batch fails its gate.
    A floor that is met though evidence is missing is met, since more evidence could only raise the rate: the batch is
    PASS_WITH_VARIANCE, and the sweep's exit code 3.
    """
    asked = scenario.runs if runs is None else runs
    planned = 0 if scenario.skip is not None and not outcomes else max(len(outcomes), asked)
    counts = count_verdicts((outcome.verdict for outcome in outcomes), planned)
    pass_rate = counts["PASS"] / planned if planned else None
    verdict: BatchVerdict = "SKIPPED" if scenario.skip is not None else batch_verdict(counts, scenario.min_pass_rate)
    known = in_force(scenario.known_failure, today)
    gates = agent.gate and verdict != "SKIPPED" and not (known and verdict == "FAIL")
    lasting = any(outcome.side_effect for outcome in outcomes if outcome.verdict != "PASS")
    return Aggregate(
        sweep=sweep, pack=pack, scenario_id=scenario.id, **cell_of(scenario), agent=agent.id, label=label,
        verdict=verdict,
        gates=gates, failed=gates and (verdict == "FAIL" or (verdict == "PASS" and known is not None)),
        runs=planned, counts=counts, pass_rate=pass_rate, min_pass_rate=scenario.min_pass_rate,
        reason=_reason(verdict, outcomes, scenario, known),
        failure_risk=failure_risk(scenario.failure_cost, pass_rate, side_effect=lasting),
        robustness=pass_rate if scenario.perturb else None,
        known_failure={"reason": known.reason, "until": known.until} if known else None, skip=scenario.skip,
        guard_faults=sum(outcome.guard_fault for outcome in outcomes),
        seconds=round(sum(outcome.seconds for outcome in outcomes), 6),
        run_stems=[outcome.stem for outcome in outcomes if outcome.stem],
    )


def count_verdicts(verdicts: Iterable[RunVerdict], planned: int) -> dict[str, int]:
    """How many runs came to each verdict; those that were planned and are not there are NOT_RUN."""
    counts = dict.fromkeys(get_args(RunVerdict), 0)
    for verdict in verdicts:
        counts[verdict] += 1
    counts["NOT_RUN"] += max(0, planned - sum(counts.values()))
    return counts


def batch_verdict(counts: dict[str, int], min_pass_rate: float | None) -> BatchVerdict:
    """PASS only if all runs passed; then the floor, if there is one; then FAIL before what is missing."""
    runs, passed = sum(counts.values()), counts["PASS"]
    if runs and passed == runs:
        return "PASS"
    if min_pass_rate is not None and passed and passed / runs >= min_pass_rate:
        return "PASS_WITH_VARIANCE"
    if counts["FAIL"]:
        return "FAIL"
    return next((verdict for verdict in MISSING if counts[verdict]), "NOT_RUN")


def in_force(known: KnownFailure | None, today: date) -> KnownFailure | None:
    """The known failure, unless the day ``until`` is over."""
    if known is None or (known.until and today > date.fromisoformat(known.until)):
        return None
    return known


def exit_code(aggregates: Iterable[Aggregate], *, output_lost: bool = False) -> int:
    """1 a gate failed; 3 none did, but some evidence or output is missing; 0 all that was selected ran and passed."""
    batches = list(aggregates)
    if any(batch.failed for batch in batches):
        return 1
    missing = output_lost or any(batch.counts.get(verdict, 0) for batch in batches for verdict in MISSING)
    return 3 if missing else 0


def _reason(verdict: BatchVerdict, outcomes: Sequence[Outcome], scenario: Scenario, known: KnownFailure | None) -> str:
    if verdict == "SKIPPED":
        return scenario.skip or ""
    if verdict == "PASS":
        return f"unexpected pass of a known failure ({known.reason}); take known_failure out" if known else ""
    first = next((outcome for outcome in outcomes if outcome.verdict == verdict), None)
    if first is None:
        first = next((outcome for outcome in outcomes if outcome.verdict != "PASS"), None)
    reason = (first.reason if first else "") or "not run"
    if verdict != "FAIL" or scenario.known_failure is None:
        return reason
    since = "known" if known else f"known until {scenario.known_failure.until}"
    return f"{clip(reason)} ({since}: {scenario.known_failure.reason})"
