"""Checks over other checks, and over an expression."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from ...schemas.counted import counted
from ...schemas.errors import AbsentFault
from ...schemas.scenario_documents import Check
from .base import Absent, Args, Fact, GraderFault
from .evidence import Evidence
from .settle import Settled, settle


def expr(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the expression holds; one that asks for a fact which the run does not have fails, inverted or not"""
    try:
        holds = seen.holds(check.args["that"])
    except AbsentFault as fault:
        raise Absent(str(fault)) from None
    yield Fact(holds=holds, what="holds" if holds else "does not hold", expected=check.args["that"])


async def any_of(check: Check, args: Args, seen: Evidence) -> AsyncIterator[Fact]:
    """at least `min` (1) of the checks hold; skipped ones do not count, and one that errs is an error"""
    least = int(args.get("min", 1))
    settled = [await settle(inner, seen) for inner in check.args["checks"]]
    for inner in settled:
        if inner.error:
            raise GraderFault(f"{inner.label}: {inner.error}")
    weighed = [inner for inner in settled if inner.facts]
    held = [inner for inner in weighed if inner.passed]
    missed = [inner for inner in weighed if not inner.passed]
    absent = sum(inner.absent for inner in missed)
    if not weighed:
        yield Fact(holds=None, what="skipped: each of its checks was")
    elif len(held) >= least:
        verb = "holds" if len(held) == 1 else "hold"
        yield Fact(holds=True, what=f"{', '.join(inner.label for inner in held)} {verb}")
    else:
        what = f"{len(held)} of {counted(len(weighed), 'check')} held: {'; '.join(map(_told, missed))}"
        yield Fact(holds=False, what=what, absent=len(held) + absent >= least)


def _told(inner: Settled) -> str:
    failed = next(fact for fact in inner.facts if not fact.holds)
    return f"{inner.label}: {failed.what}"
