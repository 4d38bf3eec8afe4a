"""Score the frozen evidence, and put layers and verdict on disk before any hook hears of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import describe_error
from ...schemas.codec import decode, encode, to_plain
from ...schemas.scores import Score
from ..batch_result import bare_score, gates
from ..judge import judge_of
from ..scopes import RunScope
from ..scoring import decide, weigh
from ..skeleton.contracts import contract
from .base import RunStage, StageFailure


class ScoreRun(RunStage):
    name = "score"
    summary = "scores the trace and writes the verdict"
    contract = contract("run", needs="trace", gives="score", bars="score")

    async def run(self, run: RunScope, params: Mapping[str, Any]) -> None:
        if run.trace is None:
            raise StageFailure("there is no trace to score")
        batch = run.batch
        try:
            run.weighed = await weigh(run.trace, batch.scenario, batch.pack, batch.prepared, judge=judge_of(run))
            score = decide(run.trace, batch.scenario, run.weighed)
        except Exception as error:  # noqa: BLE001 - a grader that breaks makes the run ERROR, never FAIL
            score = bare_score(run.run_id, batch, "ERROR", f"score: {describe_error(error)}")
        secrets = batch.sweep.secrets
        if secrets:  # what a check of the pack's own Python says has not been witnessed
            score = decode(encode(secrets.mask_value(to_plain(score))), Score)
        try:
            batch.sweep.link.expect(run.slot.relative_score(), gates=gates(batch))
            run.slot.write_score(score)
        except OSError as fault:
            message = f"the score of {run.slot.stem} could not be written: {describe_error(fault)}"
            batch.sweep.recorder.lose(message)
            raise StageFailure(message) from None
        run.score = score
