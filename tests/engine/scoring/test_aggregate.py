"""A batch counts every run that was asked for, and what is missing is never green."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.judged import agent, check, scenario
from windtunnel.engine.scoring import (
    aggregate_batch,
    batch_verdict,
    exit_code,
)
from windtunnel.engine.scoring.aggregate import count_verdicts
from windtunnel.schemas.scenario_documents import FailureCost, KnownFailure
from windtunnel.schemas.scores import LayerResult, RunVerdict, Score
from windtunnel.schemas.sweeps import Aggregate

TODAY = date(2026, 3, 2)
VERDICTS: list[RunVerdict] = ["PASS", "FAIL", "INVALID", "ERROR", "NOT_RUN"]


@dataclass(frozen=True, kw_only=True)
class Kept:
    verdict: RunVerdict
    reason: str
    stem: str = "20260302T090000000000Z_00000000"
    side_effect: bool = False
    guard_fault: bool = False
    seconds: float = 0.0


def score(verdict: RunVerdict) -> Score:
    """A score whose reason is ``outcome: nope`` on FAIL, else the verdict itself."""
    failed = verdict == "FAIL"
    layers = {
        name: LayerResult(passed=not failed, gate=True, detail="nope")
        for name in ("outcome", "trajectory", "constraint", "integrity")
    }
    return Score(
        run_id="0" * 32,
        scenario_id="s",
        agent="careful",
        verdict=verdict,
        failed_layers=["outcome"] if failed else [],
        layers=layers,
        notes=[] if verdict in ("PASS", "FAIL") else [f"why {verdict}"],
    )


def batch(
    verdicts: Sequence[RunVerdict],
    *,
    gate: bool = True,
    runs: int | None = None,
    kept: dict[str, Any] | None = None,
    **more: Any,
) -> Aggregate:
    outcomes = [Kept(verdict=verdict, reason=score(verdict).reason, **(kept or {})) for verdict in verdicts]
    declared = scenario(check("contains", value="x"), **{"runs": len(verdicts) or 1, **more})
    return aggregate_batch(
        outcomes, declared, agent(gate=gate), sweep="w", pack="desk", today=TODAY, label="L", runs=runs
    )


@pytest.mark.parametrize(
    ("verdicts", "floor", "verdict", "rate", "reason", "code"),
    [
        ("PPP", None, "PASS", 1.0, "", 0),
        ("PPF", None, "FAIL", 2 / 3, "outcome: nope", 1),
        ("PPF", 0.6, "PASS_WITH_VARIANCE", 2 / 3, "outcome: nope", 0),
        ("PFF", 0.6, "FAIL", 1 / 3, "outcome: nope", 1),
        ("PPE", None, "ERROR", 2 / 3, "why ERROR", 3),
        ("PPE", 0.6, "PASS_WITH_VARIANCE", 2 / 3, "why ERROR", 3),
        ("PEE", 0.6, "ERROR", 1 / 3, "why ERROR", 3),
        ("FEE", None, "FAIL", 0.0, "outcome: nope", 1),
        ("EIN", None, "INVALID", 0.0, "why INVALID", 3),
        ("EEN", None, "ERROR", 0.0, "why ERROR", 3),
        ("NNN", None, "NOT_RUN", 0.0, "why NOT_RUN", 3),
        ("PPI", None, "INVALID", 2 / 3, "why INVALID", 3),
        ("FFF", 0.0, "FAIL", 0.0, "outcome: nope", 1),
    ],
)
def test_the_verdict_of_a_batch(
    verdicts: str, floor: float | None, verdict: str, rate: float, reason: str, code: int
) -> None:
    names = [next(name for name in VERDICTS if name[0] == letter) for letter in verdicts]
    result = batch(names, min_pass_rate=floor)
    assert (result.verdict, result.pass_rate, result.reason) == (verdict, rate, reason)
    assert exit_code([result]) == code
    assert (result.sweep, result.pack, result.scenario_id, result.agent, result.label) == (
        "w",
        "desk",
        "s",
        "careful",
        "L",
    )


def test_runs_that_were_asked_for_and_are_not_there_are_not_run() -> None:
    result = batch(["PASS"], runs=3)
    assert (result.verdict, result.runs, result.counts["NOT_RUN"], result.pass_rate) == ("NOT_RUN", 3, 2, 1 / 3)
    assert (result.reason, exit_code([result])) == ("not run", 3)
    assert batch([], runs=None).verdict == "NOT_RUN"


def test_a_skipped_scenario_is_counted_and_in_no_rate() -> None:
    result = batch([], skip="the desk is closed", failure_cost=FailureCost(severity="high"))
    assert (result.verdict, result.runs, result.pass_rate, result.failure_risk) == ("SKIPPED", 0, None, None)
    assert (result.reason, result.gates, exit_code([result])) == ("the desk is closed", False, 0)
    assert sum(result.counts.values()) == 0


def known(until: str = "") -> KnownFailure:
    return KnownFailure(reason="no table of tours", until=until)


@pytest.mark.parametrize(
    ("verdicts", "until", "gates", "failed", "code", "reason"),
    [
        (["FAIL"], "", False, False, 0, "outcome: nope (known: no table of tours)"),
        (["FAIL"], "2026-03-02", False, False, 0, "outcome: nope (known: no table of tours)"),
        (["FAIL"], "2026-03-01", True, True, 1, "outcome: nope (known until 2026-03-01: no table of tours)"),
        (
            ["PASS", "PASS"],
            "",
            True,
            True,
            1,
            "unexpected pass of a known failure (no table of tours); take known_failure out",
        ),
        (["PASS"], "2026-03-01", True, False, 0, ""),
        (["PASS", "FAIL"], "", False, False, 0, "outcome: nope (known: no table of tours)"),
        (["ERROR"], "", True, False, 3, "why ERROR"),
    ],
)
def test_a_known_failure_gates_when_it_passes_or_is_over(
    verdicts: list[RunVerdict], until: str, gates: bool, failed: bool, code: int, reason: str
) -> None:
    result = batch(verdicts, known_failure=known(until))
    assert (result.gates, result.failed, exit_code([result]), result.reason) == (gates, failed, code, reason)
    assert result.known_failure == (None if until == "2026-03-01" else {"reason": "no table of tours", "until": until})


def test_an_agent_that_does_not_gate_fails_without_exit_1() -> None:
    assert exit_code([batch(["FAIL"], gate=False)]) == 0
    assert exit_code([batch(["PASS"], gate=False, known_failure=known())]) == 0
    assert exit_code([batch(["ERROR"], gate=False)]) == 3


def test_a_failed_gate_outranks_missing_evidence() -> None:
    assert exit_code([batch(["ERROR"]), batch(["FAIL"])]) == 1
    assert exit_code([batch(["PASS"])], output_lost=True) == 3
    assert exit_code([batch(["FAIL"])], output_lost=True) == 1


def test_guard_faults_stems_and_seconds_are_carried() -> None:
    result = batch(["PASS", "FAIL"], kept={"guard_fault": True, "seconds": 0.75})
    assert (result.guard_faults, result.run_stems, result.robustness) == (
        2,
        ["20260302T090000000000Z_00000000"] * 2,
        None,
    )
    assert result.seconds == 1.5


@given(st.lists(st.sampled_from(VERDICTS), max_size=8), st.integers(0, 12), st.none() | st.floats(0, 1))
def test_counts_sum_to_the_runs_and_what_is_missing_never_counts_as_passed(
    verdicts: list[RunVerdict], planned: int, floor: float | None
) -> None:
    runs = max(planned, len(verdicts))
    counts = count_verdicts(verdicts, runs)
    assert sum(counts.values()) == runs
    assert counts["PASS"] == verdicts.count("PASS")
    verdict = batch_verdict(counts, floor)
    assert (verdict == "PASS") == (runs > 0 and verdicts.count("PASS") == runs)
    if verdict == "PASS_WITH_VARIANCE":
        assert floor is not None
        assert verdicts.count("PASS") / runs >= floor
    if floor is None:
        assert verdict != "FAIL" or "FAIL" in verdicts
        assert "FAIL" not in verdicts or verdict == "FAIL"


@given(st.lists(st.lists(st.sampled_from(VERDICTS), min_size=1, max_size=4), max_size=4))
def test_only_a_sweep_in_which_all_ran_and_passed_is_green(batches: list[list[RunVerdict]]) -> None:
    code = exit_code(map(batch, batches))
    everything = [verdict for verdicts in batches for verdict in verdicts]
    assert code == (1 if "FAIL" in everything else 0 if set(everything) <= {"PASS"} else 3)


def test_a_side_effect_counts_where_a_run_that_did_not_pass_performed_it() -> None:
    cost = FailureCost(severity="high")
    assert batch(["PASS", "FAIL"], failure_cost=cost).failure_risk == 8
    assert batch(["PASS", "FAIL"], failure_cost=cost, kept={"side_effect": True}).failure_risk == 12
    assert batch(["PASS", "PASS"], failure_cost=cost, kept={"side_effect": True}).failure_risk == 0
