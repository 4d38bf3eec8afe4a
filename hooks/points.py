"""The named places between stages at which hooks fire, and what a hook finds there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..schemas.sweeps import Aggregate

Scope = Literal["run", "scenario", "pack"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point: when it fires, how often (``scope``), and the members of HookContext that are not None there."""

    name: str
    fires: str
    scope: Scope
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFacts:
    """What the engine knows at a point: members of HookContext as JSON, each with the type it decodes to.

    ``run_id`` and ``session_id`` are "" where the point belongs to no run, and ``elapsed_s``, the seconds since the run
    began on its own clock, is None there. A member that has no fact yet is left out.
    """

    run_id: str = ""
    session_id: str = ""
    elapsed_s: float | None = None
    members: Mapping[str, tuple[bytes, Any]]


ALL_AGGREGATES = tuple[Aggregate, ...]  # what `aggregate` is at on_pack_end
_BATCH = ("scenario", "agent")
_RUN = (*_BATCH, "run_id", "session_id")

POINTS: Mapping[str, Point] = {
    point.name: point
    for point in (
        Point(
            name="on_provisioned",
            fires="once a batch, when the agent is reachable and the world is checked, before any run",
            scope="scenario",
            members=_BATCH,
        ),
        Point(
            name="on_run_start",
            fires="once a run, in its fresh session, before the first turn is sent",
            scope="run",
            members=_RUN,
        ),
        Point(
            name="on_run_scored",
            fires="once a run, when trace and score are on disk and the session still lives; only here converse works",
            scope="run",
            members=(*_RUN, "trace", "score"),
        ),
        Point(
            name="on_run_end",
            fires="once a run, after on_run_scored, before the next reset",
            scope="run",
            members=(*_RUN, "trace", "score"),
        ),
        Point(
            name="on_scenario_end",
            fires="once a batch, after its last run",
            scope="scenario",
            members=(*_BATCH, "aggregate"),
        ),
        Point(
            name="on_pack_end",
            fires="once a sweep, when all batches are done",
            scope="pack",
            members=("aggregate",),
        ),
    )
}
CONVERSE_POINT = "on_run_scored"
