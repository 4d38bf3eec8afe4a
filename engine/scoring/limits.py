"""Checks of what the agent took: time and tokens. Hook time is in neither."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.counted import counted
from ...schemas.records import Usage
from ...schemas.scenario_documents import Check
from .base import Absent, Args, Fact, GraderFault
from .evidence import Evidence


def latency(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """each turn (`per: turn`), or all of them together (`per: run`), took at most `max_s` seconds"""
    turns = seen.trace.turns
    if not turns:
        raise Absent("there was no turn")
    most = args["max_s"]
    if args.get("per", "turn") == "run":
        took = round(sum(turn.seconds for turn in turns), 6)
        yield Fact(holds=took <= most, what=f"the run took {took:.3g} s", expected=most, found=took)
        return
    slowest = max(turns, key=lambda turn: turn.seconds)
    what = f"turn {slowest.n} took {slowest.seconds:.3g} s"
    yield Fact(holds=slowest.seconds <= most, what=what, expected=most, found=slowest.seconds)


def tokens(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the run took at most `max` tokens, in and out; usage that the endpoint did not tell is an error"""
    turns = seen.trace.turns
    if not turns:
        raise Absent("there was no turn")
    used = 0
    for turn in turns:
        if isinstance(turn.usage, Usage):
            used += turn.usage.input_tokens + turn.usage.output_tokens
        elif turn.timed_out is True:
            raise Absent(f"turn {turn.n} timed out before its usage was told")
        else:
            raise GraderFault(f"the endpoint did not tell the usage of turn {turn.n}")
    yield Fact(holds=used <= args["max"], what=counted(used, "token"), expected=args["max"], found=used)
