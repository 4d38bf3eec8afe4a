"""Score a run from its frozen trace alone: findings, layers, verdict, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...schemas.codec import UNSET
from ...schemas.documents import Pack
from ...schemas.records import Trace
from ...schemas.scenario_documents import LAYERS, Check, Scenario
from ...schemas.scores import Finding, LayerResult, RunVerdict, Score
from ..world import PreparedWorld
from .all_checks import ALL_CHECKS
from .base import Judge
from .evidence import Evidence
from .findings import findings_of
from .layers import INTEGRITY, integrity, layer_results, undecided
from .shown import clip

BROKEN_LIMIT = 300  # as a result line has room for: what to do stands at the end


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """One check of a scenario with what it found in a trace."""

    layer: str
    check: Check
    findings: tuple[Finding, ...]


async def score_trace(
    trace: Trace, scenario: Scenario, pack: Pack, prepared: PreparedWorld | None, now: str = "", *,
    judge: Judge | None = None,
) -> Score:
    """Weigh every check of the scenario against the trace, and decide; see ``weigh`` and ``decide``."""
    return decide(trace, scenario, await weigh(trace, scenario, pack, prepared, now, judge=judge))


async def weigh(
    trace: Trace, scenario: Scenario, pack: Pack, prepared: PreparedWorld | None, now: str = "", *,
    judge: Judge | None = None,
) -> tuple[Weighed, ...]:
    """What each check finds; nothing where the bench was broken. Never raises for what a check or an agent did.

    ``prepared`` is needed where a ``world`` check is declared. ``now`` is the frozen clock, the scenario's if left out.
    ``judge`` is asked by ``llm-rubric`` checks, which are errors without one.
    """
    if _broken(trace, scenario):
        return ()
    seen = Evidence(trace, scenario, ALL_CHECKS, prepared=prepared, folder=pack.path.parent, now=now, judge=judge)
    try:
        return tuple([
            Weighed(layer=layer, check=check, findings=tuple(await findings_of(check, layer, seen)))
            for layer, checks in scenario.expect.items() for check in checks
        ])
    finally:
        seen.close()


def decide(trace: Trace, scenario: Scenario, weighed: Sequence[Weighed]) -> Score:
    """The score that these checks come to.

    ERROR outranks INVALID, and INVALID outranks FAIL: what was not seen, or not tried, is not judged. A perturbation
    that is not what it requires is INVALID whatever checks found, their own trouble included.
    """
    broken = _broken(trace, scenario)
    if broken:
        return _score(trace, "ERROR", dict.fromkeys((*LAYERS, INTEGRITY), undecided(broken[0])), [], broken)
    findings = [*_timeouts(trace), *(finding for one in weighed for finding in one.findings)]
    layers = {**layer_results(findings), INTEGRITY: integrity(scenario.perturb, trace.perturbations)}
    if not layers[INTEGRITY].passed:
        return _score(trace, "INVALID", layers, findings, [f"{INTEGRITY}: {layers[INTEGRITY].detail}"])
    errors = [finding.detail for finding in findings if finding.error is True and finding.gate]
    if errors:
        return _score(trace, "ERROR", layers, findings, errors)
    invalid = _untried(trace, findings)
    if invalid:
        layers[INTEGRITY] = LayerResult(passed=False, gate=True, detail=clip(invalid))
        return _score(trace, "INVALID", layers, findings, [layers[INTEGRITY].detail])
    failed = any(layer.passed is False and layer.gate for layer in layers.values())
    return _score(trace, "FAIL" if failed else "PASS", layers, findings, [])


def _score(
    trace: Trace, verdict: RunVerdict, layers: dict[str, LayerResult], findings: list[Finding], reasons: Sequence[str]
) -> Score:
    return Score(
        run_id=trace.run_id, scenario_id=trace.scenario_id, agent=trace.agent, verdict=verdict,
        failed_layers=[name for name, layer in layers.items() if layer.passed is False],
        layers=layers, findings=findings, notes=[*reasons, *_guard_faults(trace), *_reported_errors(findings)],
    )


def _broken(trace: Trace, scenario: Scenario) -> list[str]:
    """What kept the bench from its work, once each: errors of stages and turns; timeouts if the scenario says so."""
    late = scenario.on_timeout == "error"
    told = [f"{error.stage}: {error.message}" for error in trace.errors if error.kind == "bench" or late]
    known = " ".join(told)
    for turn in trace.turns:
        if turn.error is UNSET or (turn.timed_out is True and not late) or str(turn.error) in known:
            continue
        told.append(f"turn {turn.n}: {turn.error}")
    return list(dict.fromkeys(clip(text, BROKEN_LIMIT) for text in told))


def _timeouts(trace: Trace) -> Iterator[Finding]:
    """A turn or a run that took too long is the agent's failure, in its outcome."""
    told = [error.message for error in trace.errors if error.kind == "timeout"]
    if not told:
        told = [f"turn {turn.n}: {turn.error or 'the time was over'}" for turn in trace.turns if turn.timed_out is True]
    for text in told:
        yield Finding(layer="outcome", check="timeout", type="timeout", passed=False, detail=clip(f"timeout: {text}"))


def _untried(trace: Trace, findings: Sequence[Finding]) -> str:
    """Why nothing was tried, or nothing weighed: such a run says nothing about the agent."""
    if any(finding.type == "timeout" for finding in findings):
        return ""
    if not trace.turns:
        return "no turn was sent: the `when` of each was false"
    gating = [finding for finding in findings if finding.gate] or findings
    if all(finding.passed is None and finding.error is not True for finding in gating):
        return "no check was weighed: the `when` of each was false" if gating else "there is no check"
    return ""


def _guard_faults(trace: Trace) -> Iterator[str]:
    """Each distinct fault of a guard once, with the first call that met it, and how many more did."""
    calls: dict[tuple[str, str], list[int]] = {}
    for intervention in trace.interventions:
        if isinstance(intervention.fault, str):
            calls.setdefault((intervention.guard, intervention.fault), []).append(intervention.call)
    for (guard, fault), met in calls.items():
        more = f" (and {len(met) - 1} more)" if len(met) > 1 else ""
        yield clip(f"guard {guard} failed on call {met[0]}{more}: {fault}")


def _reported_errors(findings: Sequence[Finding]) -> Iterator[str]:
    """A check that is reported only decides nothing, not even by its own trouble."""
    for finding in findings:
        if finding.error is True and not finding.gate:
            yield clip(f"reported only: {finding.detail}")
