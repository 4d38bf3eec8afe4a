"""Frozen evidence made by hand, and the checks that are weighed against it, for tests of scoring."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from windtunnel.engine.scoring import score_trace
from windtunnel.engine.scoring.base import Judge
from windtunnel.engine.world import prepare_world
from windtunnel.schemas.codec import UNSET
from windtunnel.schemas.documents import Agent, Pack
from windtunnel.schemas.problems import Mark, Source
from windtunnel.schemas.records import Call, TableState, Trace, Turn, Usage
from windtunnel.schemas.scenario_documents import Check, Scenario, UserTurn
from windtunnel.schemas.scores import Finding, Score
from windtunnel.schemas.tool_documents import Table, WorldSpec

FOLDER = Path("/nowhere")
MARK = Mark(Source(FOLDER / "pack.yaml", "pack.yaml"))
KEYS = ("when", "of", "gate", "name")


def call(
    name: str, args: Any = None, *, n: int = 1, turn: int = 1, status: Any = "ok", effect: Any = "read", **more: Any
) -> Call:
    """One witnessed call."""
    return Call(
        n=n,
        turn=turn,
        name=name,
        args={} if args is None else args,
        status=status,
        effect=effect,
        started_at="2026-03-02T08:00:00.000000Z",
        seconds=0.01,
        **more,
    )


def calls(*names: str, **common: Any) -> list[Call]:
    """Calls by name, in this order: ``"email_send!refused"`` carries its status."""
    made = []
    for n, name in enumerate(names, start=1):
        bare, _, status = name.partition("!")
        made.append(call(bare, n=n, status=status or "ok", **common))
    return made


def turn(
    reply: str | None = "",
    n: int = 1,
    *,
    user: str = "Hello?",
    seconds: float = 1.0,
    tokens: int | None = None,
    **more: Any,
) -> Turn:
    """One turn; ``reply`` None: there is none. ``tokens`` None: the endpoint did not tell them."""
    usage = UNSET if tokens is None else Usage(input_tokens=tokens, output_tokens=0)
    return Turn(
        n=n,
        user=user,
        reply=UNSET if reply is None else reply,
        started_at="2026-03-02T08:00:00.000000Z",
        seconds=seconds,
        usage=usage,
        **more,
    )


def trace(reply: str | None = "", *, turns: Sequence[Turn] | None = None, **more: Any) -> Trace:
    """The evidence of a run of one turn with this reply, or of these turns."""
    made = list(turns) if turns is not None else [turn(reply)]
    facts: dict[str, Any] = {
        "run_id": "0" * 32,
        "session_id": "1" * 32,
        "run_number": 1,
        "pack": "desk",
        "scenario_id": "s",
        "agent": "careful",
        "model": "m",
        "started_at": "2026-03-02T08:00:00.000000Z",
        "seconds": 1.0,
    }
    return Trace(**{**facts, "turns": made, **more})


def check(type_: str, **keys: Any) -> Check:
    """A check as loading makes it: ``not-`` is taken off, the keys of its type go to ``args``."""
    bare = type_.removeprefix("not-")
    common = {key: keys.pop(key) for key in KEYS if key in keys}
    return Check(type=bare, negated=bare != type_, args=keys, mark=MARK, **common)


def scenario(
    *outcome: Check, trajectory: Sequence[Check] = (), constraint: Sequence[Check] = (), **more: Any
) -> Scenario:
    """A scenario of one turn with these checks."""
    expect = {"outcome": outcome, "trajectory": tuple(trajectory), "constraint": tuple(constraint)}
    return Scenario(
        id="s",
        turns=(UserTurn(user="Hello?", mark=MARK),),
        mark=MARK,
        expect={layer: checks for layer, checks in expect.items() if checks},
        **more,
    )


def agent(**more: Any) -> Agent:
    return Agent(id="careful", runtime="scripted", mark=MARK, **more)


def pack(folder: Path = FOLDER) -> Pack:
    return Pack(name="desk", path=folder / "pack.yaml", shown="pack.yaml", agents={"careful": agent()}, scenarios={})


def orders(*rows: Mapping[str, Any], now: str = "") -> WorldSpec:
    """A world with one table ``orders`` of these rows."""
    columns = {"id": "text", "qty": "integer", "price": "real", "paid": "flag", "note": "text"}
    return WorldSpec(now=now, tables={"orders": Table(name="orders", columns=columns, rows=tuple(rows), mark=MARK)})


def state(*rows: dict[str, Any], **more: Any) -> dict[str, TableState]:
    """The final rows of ``orders`` as a trace tells them, every column filled in."""
    empty = {"id": None, "qty": None, "price": None, "paid": None, "note": None}
    return {"orders": TableState(rows=[{**empty, **row} for row in rows], **more)}


def scored(evidence: Trace, declared: Scenario, folder: Path = FOLDER, judge: Judge | None = None) -> Score:
    """Score with the world that the scenario declares."""
    prepared = prepare_world(declared.world, {})
    try:
        return asyncio.run(score_trace(evidence, declared, pack(folder), prepared, judge=judge))
    finally:
        prepared.close()


def finding(evidence: Trace, one: Check, folder: Path = FOLDER, **more: Any) -> Finding:
    """The one finding of one check."""
    found = scored(evidence, scenario(one, **more), folder).findings
    assert len(found) == 1, found
    return found[0]


def told(evidence: Trace, one: Check, folder: Path = FOLDER, **more: Any) -> tuple[bool | str | None, str]:
    """(passed, detail) of one check; "error" where the grader had trouble."""
    found = finding(evidence, one, folder, **more)
    return "error" if found.error is True else found.passed, found.detail
