"""Sum up findings as layers: outcome, trajectory and constraint from checks, integrity from the experiment itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...schemas.counted import counted
from ...schemas.scenario_documents import LAYERS, Perturbation
from ...schemas.scores import Finding, LayerResult
from .shown import clip

INTEGRITY = "integrity"
NOT_DECLARED = LayerResult(passed=None, gate=False, detail="not declared")


def layer_results(findings: Sequence[Finding]) -> dict[str, LayerResult]:
    """Outcome, trajectory and constraint, each from its own findings."""
    return {layer: _layer([finding for finding in findings if finding.layer == layer]) for layer in LAYERS}


def undecided(why: str) -> LayerResult:
    """A layer that nobody could judge."""
    return LayerResult(passed=None, gate=False, detail=clip(f"not decided: {why}"))


def integrity(declared: Sequence[Perturbation], marks: Sequence[Mapping[str, Any]]) -> LayerResult:
    """Whether the evidence holds what every declared perturbation requires; one without evidence did not happen."""
    if not declared and not marks:
        return LayerResult(passed=True, gate=True, detail="no perturbation declared")
    unmet = [told for one in declared if (told := _unmet(one, marks))]
    unmet += [_told(mark) for mark in marks if "index" not in mark and mark.get("applied") is not True]
    if unmet:
        return LayerResult(passed=False, gate=True, detail=clip("; ".join(unmet)))
    return LayerResult(passed=True, gate=True, detail=clip("; ".join(_told(mark) for mark in marks)))


def _unmet(one: Perturbation, marks: Sequence[Mapping[str, Any]]) -> str:
    """What keeps a perturbation from being what it requires; "" where nothing does."""
    mark = next((mark for mark in marks if mark.get("index") == one.index), None)
    if mark is None:
        return f"{one.shown}: it left no evidence"
    return "" if mark.get("applied") is True and (one.requires == "applied" or mark.get("met") is True) else _told(mark)


def _told(mark: Mapping[str, Any]) -> str:
    """``tool-fault timeout on stock_get: struck call 1``."""
    on = f" {mark['fault']} on {mark.get('tool')}" if "fault" in mark else ""
    return f"{mark.get('type', 'perturbation')}{on}: {mark.get('detail') or 'was not met'}"


def _layer(findings: Sequence[Finding]) -> LayerResult:
    """A layer gates where a check that gates was weighed; what is reported only decides nothing beside it."""
    if not findings:
        return NOT_DECLARED
    gating = [finding for finding in findings if finding.gate]
    judged = [finding for finding in gating or findings if finding.passed is not None or finding.error is True]
    if not judged:
        return LayerResult(passed=None, gate=False, detail=clip(_and_more(findings)))
    failed = [finding for finding in judged if finding.passed is False]
    erred = [finding for finding in judged if finding.error is True]
    if failed:
        return LayerResult(passed=False, gate=bool(gating), detail=clip(_and_more(failed)))
    if erred:
        return LayerResult(passed=None, gate=bool(gating), detail=clip(f"not decided: {_and_more(erred)}"))
    return LayerResult(passed=True, gate=bool(gating), detail=clip(_held(judged, findings)))


def _and_more(findings: Sequence[Finding]) -> str:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return clip(findings[0].detail, 200 - len(more)) + more


def _held(judged: Sequence[Finding], findings: Sequence[Finding]) -> str:
    """``2 checks hold, 1 skipped, reported only: latency 5 s: turn 1 took 7 s``."""
    held = counted(len(judged), "check holds", "checks hold")
    skipped = sum(finding.passed is None and finding.error is not True for finding in findings)
    aside = [finding.detail for finding in findings if not finding.gate and finding.passed is False]
    told = f"{held}, {skipped} skipped" if skipped else held
    return f"{told}; reported only: {'; '.join(aside)}" if aside else told
