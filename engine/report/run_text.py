"""A run as lines of text: the conversation with its witnessed calls in between, then the verdict and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...schemas.cells import cell_text
from ...schemas.codec import UNSET, encode
from ...schemas.counted import counted
from ...schemas.records import Call, Trace, Turn
from ...schemas.scores import Score
from ..artifacts.walker import Run
from .debrief_text import debrief_lines
from .inert import inert, squeezed
from .timeline_text import timeline_lines

WIDE = 300
MARK = {True: "ok  ", False: "FAIL", None: "-   "}


def run_lines(run: Run) -> Iterator[str]:
    """Every line is inert, whatever an agent or tool has said."""
    yield from _head(run)
    yield ""
    yield from _conversation(run.trace)
    yield from _parted(timeline_lines(run.path))
    if run.score is not None:
        yield ""
        yield from _score(run.score)
    else:
        yield "not scored: the run was cut off before its score"
    for error in run.trace.errors:
        yield f"error    {inert(error.stage, 40)}: {squeezed(error.message, WIDE)}"
    for warning in run.trace.worker_warnings:
        yield f"warning  {squeezed(warning, WIDE)}"
    yield from debrief_lines(run.path)
    for sidecar in run.sidecars:
        yield f"sidecar  {_name(sidecar)}"


def _parted(lines: Iterator[str]) -> Iterator[str]:
    """The lines after an empty one, if there are any."""
    for n, line in enumerate(lines):
        if n == 0:
            yield ""
        yield line


def _head(run: Run) -> Iterator[str]:
    trace = run.trace
    verdict = run.score.verdict if run.score is not None else "NOT_RUN"
    model = f"  model {inert(trace.model, 100)}" if trace.model else ""
    pack, scenario, agent = (inert(name, 100) for name in (trace.pack, trace.scenario_id, trace.agent))
    cell = f"  sampling {inert(cell_text(trace.sampling), 200)}" if isinstance(trace.sampling, dict) else ""
    yield f"{verdict}  {pack} / {scenario}  {agent}  run {trace.run_number}{model}{cell}"
    began = f"started {inert(trace.started_at, 40)}"
    yield f"run_id {inert(trace.run_id, 40)}  {began}  {trace.seconds:.3f} s  {_counts(trace)}"


def _counts(trace: Trace) -> str:
    return f"{counted(len(trace.turns), 'turn')}, {counted(len(trace.calls), 'call')}"


def _conversation(trace: Trace) -> Iterator[str]:
    calls = sorted(trace.calls, key=lambda call: call.n)
    for turn in trace.turns:
        yield f"user     {squeezed(turn.user, WIDE)}"
        for call in (call for call in calls if call.turn == turn.n):
            yield f"  call {call.n:<3}{_call(call)}"
        yield _reply(turn)
    for one in trace.interventions:
        fault = "" if one.fault is UNSET else f" (the guard failed: {inert(str(one.fault), 200)})"
        yield f"guard    {inert(one.guard)} refused call {one.call}: {squeezed(one.message, WIDE)}{fault}"


def _call(call: Call) -> str:
    arguments = squeezed(encode(call.args).decode(), WIDE)
    answer = call.error if call.error is not UNSET else call.text if call.text is not UNSET else ""
    came = f"{call.status} {squeezed(str(answer), WIDE)}"
    return f"{inert(call.name, 80)}({arguments}) -> {came}  {call.seconds:.3f} s".rstrip()


def _reply(turn: Turn) -> str:
    if turn.reply is not UNSET:
        return f"agent    {squeezed(str(turn.reply), WIDE * 4)}  ({turn.seconds:.3f} s)"
    return f"no reply {squeezed(str(turn.error), WIDE)}"


def _score(score: Score) -> Iterator[str]:
    for name, layer in score.layers.items():
        gate = "" if layer.gate or layer.passed is None else "  (does not gate)"
        yield f"{MARK[layer.passed]} {inert(name, 40):<11}{squeezed(layer.detail, WIDE)}{gate}"
    told = {(name, layer.detail) for name, layer in score.layers.items()}
    for finding in score.findings:
        if (finding.layer, finding.detail) in told and finding.passed is False:
            continue  # alone in its layer, whose line has said it
        mark = "ERR " if finding.error is True else MARK[finding.passed]
        yield f"       {mark} {inert(finding.layer, 40)}: {squeezed(finding.detail, WIDE)}"
    for note in score.notes:
        yield f"note     {squeezed(note, WIDE)}"


def _name(path: Path) -> str:
    return inert(path.name)
