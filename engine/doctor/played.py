"""Play one scenario that the bench makes up with one agent of a pack, and keep what its runs came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...hooks.state.snapshot import StateProbe
from ...schemas.bounded import clean_text
from ...schemas.codec import UNSET
from ...schemas.documents import Agent, Pack
from ...schemas.errors import CodecFault
from ...schemas.records import Trace
from ...schemas.scenario_documents import Check, Scenario, UserTurn
from ...schemas.sweeps import ArtifactRow
from ...schemas.tool_documents import Tool
from ..artifacts.walker import read_run
from ..exit_codes import is_interruption
from ..options import RunOptions
from ..progress import Silent
from ..scopes import BatchScope, Look, RunOutcome
from ..scratch import scratch
from ..sweep.link import Link
from ..sweep.prepare import prepare
from ..sweep.run import run_sweep
from ..sweep.select import Pair, Selection

TURN_S = 60.0
RUN_S = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """With whom, and where, a scenario is played.

    ``runs_dir`` None: the evidence is thrown away, with the folder in ``scratch`` (None: where the system has such).
    """

    pack: Pack
    agent: Agent
    env: Mapping[str, str]
    folder: Path
    turn_timeout_s: float = TURN_S
    runs_dir: Path | None = None
    scratch: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRun:
    """What one run came to; ``trouble`` says why the agent was not heard, "" where it was."""

    trace: Trace | None
    trouble: str
    look: Look | None = None


Played = Mapping[int, PlayedRun]
"""The runs by number."""


class Interrupted(Exception):
    """A signal ended it; ``code`` is the exit code that says which."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What the bench asks: the scenario's name, its turns, and values for their templates."""

    name: str
    turns: Sequence[str] = ()
    vars: Mapping[str, object] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    that: str = "reply is defined"
    runs: int = 1


class _Notebook(Silent):
    """Keeps each outcome with the look that was taken before its run."""

    def __init__(self) -> None:
        self.heard: list[tuple[RunOutcome, Look | None]] = []

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        self.heard.append((outcome, batch.looks.get(outcome.number)))


async def play(part: Part, stand: Stand, skeleton: str, probe: StateProbe | None = None) -> Played:
    """One sweep of one batch, run after run, of which no hook hears.

    Raises DocumentFault, UsageFault and EvidenceMissing before anything is sent, and Interrupted.
    """
    with scratch("wt-doctor-", stand.scratch) as folder:
        return await _played(part, stand, skeleton, probe, stand.runs_dir or Path(folder))


async def _played(part: Part, stand: Stand, skeleton: str, probe: StateProbe | None, root: Path) -> Played:
    scenario = _scenario(part, stand)
    pack = replace(
        stand.pack, scenarios={scenario.id: scenario}, tools={**stand.pack.tools, **part.tools},
        agents={**stand.pack.agents, stand.agent.id: stand.agent},
    )
    options = RunOptions(jobs=1, runs_dir=root, skeleton=skeleton)
    selection = Selection(pairs=(Pair(pack=pack, scenario=scenario, agent=stand.agent),), excluded=())
    prepared = prepare([pack], options, env=stand.env, folder=stand.folder, selection=selection)
    if probe is not None:
        prepared = replace(prepared, state_probes={pack.name: probe})
    notebook = _Notebook()
    result = await run_sweep(prepared, notebook, Link())
    if is_interruption(result.exit_code):
        raise Interrupted(result.exit_code)
    folder = result.store.root.joinpath(pack.name, scenario.id, stand.agent.id)
    return {outcome.number: _run(outcome, look, folder) for outcome, look in notebook.heard}


def _scenario(part: Part, stand: Stand) -> Scenario:
    """In the world of the pack's first scenario: its tables and variables are known to hold."""
    first = next(iter(stand.pack.scenarios.values()))
    return Scenario(
        id=part.name,
        turns=tuple(UserTurn(user=text, mark=first.mark) for text in part.turns),
        expect={"constraint": (Check(type="expr", args={"that": part.that}, path="doctor", mark=first.mark),)},
        world=first.world, vars={**first.vars, **part.vars}, case=first.case, runs=part.runs,
        turn_timeout_s=stand.turn_timeout_s, run_timeout_s=max(RUN_S, stand.turn_timeout_s), mark=first.mark,
    )


def _run(outcome: RunOutcome, look: Look | None, folder: Path) -> PlayedRun:
    try:
        trace = read_run(folder / f"{outcome.stem}.json").trace if outcome.stem else None
    except (OSError, CodecFault) as fault:
        return PlayedRun(trace=None, trouble=f"its evidence cannot be read: {fault}", look=look)
    return PlayedRun(trace=trace, trouble=_trouble(outcome, trace), look=look)


def _trouble(outcome: RunOutcome, trace: Trace | None) -> str:
    if trace is None:
        return outcome.reason or "the run was not made"
    for turn in trace.turns:
        if turn.error is not UNSET:
            return clean_text(turn.error, 600)
    return clean_text(trace.errors[0].message, 600) if trace.errors else ""
