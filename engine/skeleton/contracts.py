"""What each point promises to a hook: the facts that hold when it fires, and those that must not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .steps import Level

FACT_MEANING: Mapping[str, str] = {
    "handle": "an agent is provisioned",
    "world": "the world's tables and the tools' statements are checked",
    "fresh": "nothing of an earlier run is left in the agent",
    "session": "a run id and a session of its own exist",
    "surface": "what the agent is shown is recorded",
    "injected": "the user turns have been sent",
    "evidence": "witnessed calls and world observations are collected",
    "trace": "the evidence is frozen and on disk",
    "score": "layers and verdict are on disk",
    "scored": "on_run_scored has fired",
    "runs": "all runs of the batch are over",
    "aggregate": "the batch's result is counted",
    "batches": "all batches of the sweep are over",
    "ended": "the agent is torn down",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """Facts that must hold and must not hold before a step, and those it gives and ends.

    ``again`` lets a step stand twice in one scope.
    """

    level: Level
    needs: frozenset[str] = frozenset()
    bars: frozenset[str] = frozenset()
    gives: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    again: bool = False
    when: str = ""


def contract(level: Level, *, needs: str = "", bars: str = "", gives: str = "", ends: str = "",
             again: bool = False, when: str = "") -> Contract:
    """Write a contract with its facts as words in a text."""
    return Contract(level=level, needs=frozenset(needs.split()), bars=frozenset(bars.split()),
                    gives=frozenset(gives.split()), ends=frozenset(ends.split()), again=again, when=when)


POINTS: Mapping[str, Contract] = {
    "on_provisioned": contract("batch", needs="handle world", bars="runs", when="once a batch, before any run"),
    "on_run_start": contract(
        "run", needs="fresh session surface", bars="injected", when="per run, before the first turn"
    ),
    "on_run_scored": contract(
        "run",
        needs="evidence trace score session",
        gives="scored",
        when="per run, trace and score on disk, the session still alive",
    ),
    "on_run_end": contract("run", needs="scored", when="per run, after on_run_scored"),
    "on_scenario_end": contract("batch", needs="aggregate", when="once a batch, after its runs"),
    "on_pack_end": contract("sweep", needs="batches", when="once a sweep, after all batches"),
}

LOOP_CONTRACTS: Mapping[str, Contract] = {
    "each_batch": contract("sweep", gives="batches", when="runs the batch part for each scenario and agent"),
    "each_run": contract("batch", needs="handle", gives="runs", when="runs its body once per run of the batch"),
    "each_turn": contract("run", needs="session fresh", bars="injected evidence", gives="injected", ends="fresh",
                          when="runs its body once per user turn"),
}


def custom_point(level: Level) -> Contract:
    """A skeleton's own point promises nothing, and may fire again in the same scope."""
    return Contract(level=level, again=True)
