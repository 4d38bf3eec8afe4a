"""The record of a sweep as it begins: what was asked, of what, with what versions, hooks and agents."""

from __future__ import annotations

import sys

from ... import __version__
from ...schemas.codec import UNSET
from ...schemas.sweeps import AddedRow, SweepRecord
from ..clock import RunClock, iso, stamp
from .prepare import Prepared


def first_record(prepared: Prepared, clock: RunClock) -> SweepRecord:
    """It says ``running``; what it says of agents and options holds no secret."""
    options = prepared.options
    return SweepRecord(
        sweep=stamp(clock.now()),
        state="running",
        started_at=iso(clock.now()),
        label=options.label,
        asked=options.asked(),
        versions={"windtunnel": __version__, "python": sys.version.split()[0]},
        packs={pack.name: pack.sha256 for pack in prepared.packs},
        added_agents=_added(prepared) or UNSET,
        hooks=list(prepared.hooks.names),
        planned_runs=prepared.selection.runs,
        excluded=[
            {"pack": x.pack, "scenario": x.scenario, "agent": x.agent, "reason": x.reason}
            for x in prepared.selection.excluded
        ],
    )


def _added(prepared: Prepared) -> list[AddedRow]:
    """Where added agents came from, once, though every pack has them."""
    mask = prepared.secrets.mask_value
    rows = [
        AddedRow(ids=list(each.ids), file=each.file, sha256=each.sha256, options=mask(dict(each.options)))
        for pack in prepared.packs
        for each in pack.added
    ]
    return [row for index, row in enumerate(rows) if row not in rows[:index]]
