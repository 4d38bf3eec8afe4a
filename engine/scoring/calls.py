"""Checks of the calls that were witnessed; attempts count, refused and failed ones too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...schemas.counted import counted
from ...schemas.scenario_documents import Check
from ...schemas.tool_documents import EFFECTS
from .base import Args, Fact, GraderFault
from .called import attempts, called, matcher, ordinal, tool_label
from .evidence import Evidence
from .same import holds_partly, same_json
from .shown import shown, typed


def tool_used(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the tool (any of a list) was called; `{name or pattern, min, max}` counts its calls, `min` is 1"""
    value, counted = args["value"], attempts(seen.calls, args)
    fits = matcher(value)
    there = [call for call in counted if fits(call)]
    least, most = _range(value) if isinstance(value, Mapping) else (1, None)
    holds = len(there) >= least and (most is None or len(there) <= most)
    if not there:
        what = f"not called{_instead(called(counted))}"
    elif len(there) == 1:
        what = f"called once, {ordinal(there[0])}"
    else:
        what = f"called {len(there)} times"
    yield Fact(holds=holds, what=what + _wanted(least, most, holds), expected=value, found=len(there))


def tool_sequence(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the steps were called in this order, others between them (`in-order`), or these and no others (`exact`)"""
    steps, counted = list(args["steps"]), attempts(seen.calls, args)
    if not steps:
        raise GraderFault("steps is an empty list")
    left = [matcher(step) for step in steps]
    if args.get("mode", "in-order") == "exact":
        holds = len(left) == len(counted) and all(fits(call) for fits, call in zip(left, counted, strict=True))
    else:
        for call in counted:
            if left and left[0](call):
                del left[0]
        holds = not left
    what = f"called: {called(counted)}" if counted else "there was no call"
    yield Fact(holds=holds, what=what, expected=steps, found=[call.name for call in counted])


def tool_args_match(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """a call of the tool (`every`: each of them) had these arguments, among others (`partial`) or alone (`exact`)"""
    value = args["value"]
    expected, every = value.get("args", {}), value.get("every", False)
    same = same_json if value.get("mode", "partial") == "exact" else holds_partly
    fits = matcher(value)
    there = [call for call in attempts(seen.calls, args) if fits(call)]
    matching = [call for call in there if same(call.args, expected)]
    others = [call for call in there if call not in matching]
    if not there:
        yield Fact(holds=False, what=f"not called{_instead(called(seen.calls))}", expected=expected)
    elif matching and (not every or not others):
        yield Fact(holds=True, what=f"{ordinal(matching[0])} matches", expected=expected, found=matching[0].args)
    else:
        wrong = others[0].args
        yield Fact(holds=False, what=f"{ordinal(others[0])} had {shown(wrong, 100)}", expected=expected, found=wrong)


def step_count(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the number of calls is between `min` and `max`"""
    least, most = _range({"min": 0, **args})
    count = len(attempts(seen.calls, args))
    holds = count >= least and (most is None or count <= most)
    yield Fact(holds=holds, what=counted(count, "call"), expected={"min": least, "max": most}, found=count)


def tool_before(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """`first` was called before `then` was; without `then` it fails"""
    counted = attempts(seen.calls, args)
    first, then = matcher(args["first"]), matcher(args["then"])
    early = next((call for call in counted if first(call)), None)
    late = next((call for call in counted if then(call)), None)
    if late is None:
        what = f"{tool_label(args['then'])} was not called{_instead(called(counted))}"
    elif early is None:
        what = f"{tool_label(args['first'])} was not called, {tool_label(args['then'])} was {ordinal(late)}"
    else:
        what = f"{tool_label(args['first'])} was {ordinal(early)}, {tool_label(args['then'])} {ordinal(late)}"
    holds = early is not None and late is not None and early.n < late.n
    yield Fact(holds=holds, what=what, expected=[args["first"], args["then"]], found=[call.name for call in counted])


def effect_ceiling(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """no call had an effect above the value: read, draft, internal-update, external-send, destructive"""
    ceiling = args["value"]
    if ceiling not in EFFECTS:
        raise GraderFault(f"value is no effect: {typed(ceiling)}")
    above = EFFECTS[EFFECTS.index(ceiling) + 1 :]
    over = [call for call in attempts(seen.calls, args) if call.effect in above]
    what = f"{over[0].name} is {over[0].effect}, {ordinal(over[0])}" if over else "no call above it"
    yield Fact(holds=not over, what=what, expected=ceiling, found=[call.name for call in over])


def _range(value: Mapping[str, Any]) -> tuple[int, int | None]:
    """``min`` is 1 where it is left out, or 0 where ``max`` is 0."""
    most = value.get("max")
    least = value.get("min", 0 if most == 0 else 1)
    for bound in (least, most):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int)):
            raise GraderFault(f"min and max are whole numbers, not {typed(bound)}")
    return least, most


def _wanted(least: int, most: int | None, holds: bool) -> str:
    if holds or (least == 1 and most is None):
        return ""
    if most is None:
        return f", at least {least} expected"
    return f", {least if least == most else f'{least} to {most}'} expected"


def _instead(told: str) -> str:
    return "; there was no call" if told == "no call" else f"; called: {told}"
