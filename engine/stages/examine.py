"""Ask of each check what it was worth: the frozen trace is decided again without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.records import Trace
from ...schemas.scores import Finding, Score
from ..scopes import Examined, RunScope
from ..scoring import Weighed, decide
from ..skeleton.contracts import contract
from .base import RunStage


class Examine(RunStage):
    name = "examine"
    summary = "decides the trace again without each check in turn"
    contract = contract("run", needs="score", again=True)

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        if run.trace is not None and run.score is not None:
            found = (*_timeouts(run.score), *_checks(run, run.trace))
            run.batch.examined[run.number] = found


def _checks(run: RunScope, trace: Trace) -> Iterator[Examined]:
    """Each check as it was weighed when the run was scored: nothing is asked twice, a judge least of all."""
    for index, one in enumerate(run.weighed):
        others = (*run.weighed[:index], *run.weighed[index + 1 :])
        yield Examined(
            layer=one.layer, label=_label(one), check=one.check, failed=any(map(_failed, one.findings)),
            without=decide(trace, run.batch.scenario, others).verdict,
        )


def _timeouts(score: Score) -> Iterator[Examined]:
    late = [finding for finding in score.findings if finding.type == "timeout"]
    if late:
        yield Examined(layer=late[0].layer, label="timeout", check=None, failed=True, without=score.verdict)


def _label(one: Weighed) -> str:
    return one.findings[0].check if one.findings else one.check.name or one.check.shown_type


def _failed(finding: Finding) -> bool:
    return finding.passed is False
