"""Checks over other checks, and over an expression."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from ...schemas.documents import Check
from ...schemas.errors import AbsentFault
from ...schemas.records import Finding
from .base import Absent, Args, Fact, GraderFault
from .evidence import Evidence
from .judge import judge
from .shown import clip


def expr(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the expression holds; one that asks for a fact which the run does not have fails, inverted or not"""
    try:
        holds = seen.holds(check.args["that"])
    except AbsentFault as fault:
        raise Absent(str(fault)) from None
    yield Fact(holds=holds, what="holds" if holds else "does not hold", expected=check.args["that"])


async def any_of(check: Check, args: Args, seen: Evidence) -> AsyncIterator[Fact]:
    """at least `min` (1) of the checks hold; those that are skipped do not count, one that errs is an error"""
    least = args.get("min", 1)
    held: list[str] = []
    failed: list[str] = []
    absent = 0
    for inner in check.args["checks"]:
        findings = [finding async for finding in judge(inner, "", seen)]
        for finding in findings:
            if finding.error is True:
                raise GraderFault(finding.detail)
        ...
