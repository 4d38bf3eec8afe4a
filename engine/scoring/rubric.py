"""Let a judge weigh a reply against a rubric; whatever is no plain PASS or FAIL is an error, never a verdict."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ...schemas.scenario_documents import Check
from .base import Args, Fact, GraderFault
from .evidence import Evidence
from .judging import RUBRIC_CHARACTERS, question, read_answer
from .shown import shown
from .text import looked_at, needle

DEFAULT_TIMEOUT_S = 60.0


async def llm_rubric(check: Check, args: Args, seen: Evidence) -> AsyncIterator[Fact]:
    """a judge, which is a helper agent, finds that the text meets the rubric"""
    rubric, judge = needle(args["value"]), str(args["judge"])
    if len(rubric) > RUBRIC_CHARACTERS:
        raise GraderFault(f"the rubric has {len(rubric)} characters, the limit is {RUBRIC_CHARACTERS}")
    reply = looked_at(check, seen)[0]
    if seen.judge is None:
        raise GraderFault(f"there is no judge at hand to ask '{judge}'")
    user = seen.trace.turns[-1].user if seen.trace.turns else ""
    asked = question(rubric, user, reply, salt=f"{seen.trace.digest} {check.path}")
    answer = await seen.judge(judge, asked, float(args.get("timeout_s", DEFAULT_TIMEOUT_S)))
    read = read_answer(answer)
    if read is None:
        told = f'answered neither PASS nor FAIL first: {shown(answer, 100)}' if answer.strip() else "answered nothing"
        raise GraderFault(f"judge '{judge}' {told}")
    passed, reason = read
    what = reason or f"judge '{judge}' answered {'PASS' if passed else 'FAIL'}"
    yield Fact(holds=passed, what=what, expected=rubric, found=answer)
