"""The payload of a trial: the event's sample, and what the user gives over it, looked at before a hook sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schemas.codec import CodecFault, decode, encode, to_plain
from ..schemas.errors import UsageFault
from ..schemas.hook_views import AgentInfo, ScenarioInfo
from ..schemas.nearest import did_you_mean
from ..schemas.records import Trace
from ..schemas.scores import Score
from ..schemas.sweeps import Aggregate
from .contract import Event
from .debrief.sample import sample_score, sample_trace
from .points import ALL_AGGREGATES, POINTS, PointFacts

_TYPES: Mapping[str, Any] = {
    "scenario": ScenarioInfo, "agent": AgentInfo, "trace": Trace, "score": Score, "aggregate": Aggregate,
}
_KINDS = {
    str: "text", bool: "true or false", int: "a number", float: "a number", dict: "an object", list: "a list",
}


def trial_payload(event: Event, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a trial of this event sends, as plain data: its sample and ``given`` over it, a member at a time.

    At a point these are the members that a hook sees there. Raises UsageFault for a member that the event does not
    send, or one of another kind.
    """
    sample = _members(event.name) if event.name in POINTS else to_plain(dict(event.sample))
    for name, value in given.items():
        if name not in sample:
            hint = did_you_mean(name, sample, what="it sends")
            raise UsageFault(f"the payload has {name[:80]!r}, which {event.name} never sends; {hint}")
        if _kind(value) != _kind(sample[name]):
            raise UsageFault(f"the payload's {name} is {_kind(value)}; {event.name} sends {_kind(sample[name])}")
    found: dict[str, Any] = {**sample, **given}
    if event.name in POINTS:
        trial_facts(event.name, found)
    return found


def trial_facts(point: str, payload: Mapping[str, Any]) -> PointFacts:
    """The payload of a point as what its hooks read. Raises UsageFault for a member that is not what it has to be."""
    members = {}
    for name in payload.keys() & _TYPES.keys():
        kind = ALL_AGGREGATES if name == "aggregate" and point == "on_pack_end" else _TYPES[name]
        data = encode(payload[name])
        try:
            decode(data, kind)
        except CodecFault as fault:
            raise UsageFault(f"the payload's {name} is not one that wt wrote: {fault}") from None
        members[name] = (data, kind)
    return PointFacts(
        run_id=payload.get("run_id", ""), session_id=payload.get("session_id", ""),
        elapsed_s=payload.get("elapsed_s"), members=members,
    )


def _members(point: str) -> dict[str, Any]:
    """What holds at a point, for the sample run."""
    trace, score = sample_trace(), sample_score()
    aggregate = Aggregate(
        sweep="20260302T080000000000Z", pack=trace.pack, scenario_id=trace.scenario_id, agent=trace.agent,
        verdict="FAIL", gates=True, failed=True, runs=1, counts={"FAIL": 1}, pass_rate=0.0, reason=score.reason,
        seconds=trace.seconds,
    )
    every = {
        "run_id": trace.run_id, "session_id": trace.session_id, "trace": trace, "score": score,
        "scenario": ScenarioInfo(id=trace.scenario_id, turns=[turn.user for turn in trace.turns]),
        "agent": AgentInfo(id=trace.agent, runtime="scripted", model=trace.model),
        "aggregate": [aggregate] if point == "on_pack_end" else aggregate,
    }
    members = {name: every[name] for name in POINTS[point].members}
    if POINTS[point].scope == "run":
        members["elapsed_s"] = trace.seconds
    plain: dict[str, Any] = to_plain(members)
    return plain


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "null")
