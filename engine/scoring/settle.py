"""Bring one check to an end: facts after ``not-``, skipped, or an error; it never raises and never takes long."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ...schemas.bounded import describe_error
from ...schemas.codec import UNSET
from ...schemas.errors import WindTunnelError
from ...schemas.scenario_documents import Check
from .base import Absent, Args, CheckType, Fact, GraderFault
from .evidence import Evidence
from .shown import clip

LIMIT_S = 1.0
LABEL_LIMIT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a check came to. ``facts`` hold where it passes; without any it was skipped, or ``error`` says why."""

    label: str
    facts: tuple[Fact, ...] = ()
    error: str = ""
    why_skipped: str = ""

    @property
    def absent(self) -> bool:
        return any(fact.absent for fact in self.facts)

    @property
    def passed(self) -> bool:
        return bool(self.facts) and all(fact.holds for fact in self.facts)


async def settle(check: Check, seen: Evidence) -> Settled:
    """Weigh the check; what it raises, or more than a second of work, is its ``error``."""
    started = time.thread_time()  # the work of this thread: a busy machine makes no check an error
    args = check.args
    try:
        kind = seen.kinds[check.type]
        if check.when is not None and not _wanted(check.when, seen):
            return Settled(label=_label(check, args, seen), why_skipped=f"skipped: when {clip(check.when, 80)}")
        args = seen.args(check, kind.raw)
        facts = await _gather(check, kind, args, seen, started)
    except Absent as absent:
        facts = [Fact(holds=False, what=str(absent), absent=True)]
    except (GraderFault, WindTunnelError) as fault:
        return Settled(label=_label(check, args, seen), error=clip(str(fault)))
    except Exception as error:  # noqa: BLE001 - whatever a check raises is the grader's trouble, never a verdict
        return Settled(label=_label(check, args, seen), error=clip(describe_error(error)))
    label = _label(check, args, seen)
    if facts[0].holds is None and all(fact.holds is None for fact in facts):
        return Settled(label=label, why_skipped=facts[0].what)
    return Settled(label=label, facts=tuple(_inverted(facts) if check.negated else facts))


def _wanted(when: str, seen: Evidence) -> bool:
    try:
        return seen.holds(when)
    except WindTunnelError as fault:
        raise GraderFault(f"when: {fault}") from None


async def _gather(check: Check, kind: CheckType, args: Args, seen: Evidence, started: float) -> list[Fact]:
    found = kind.run(check, args, seen)
    if hasattr(found, "__aiter__"):  # these wait for others, and bound their waits themselves
        facts = [fact async for fact in found]
    else:
        facts = list(found)
        took = time.thread_time() - started
        if took > LIMIT_S:
            raise GraderFault(f"took {took:.1f} s, the limit is {LIMIT_S:g} s")
    if not facts:
        raise GraderFault("gave no finding")
    return facts


def _inverted(facts: list[Fact]) -> list[Fact]:
    """``not-`` over all facts of a check at once; what is absent fails, inverted or not."""
    missing = [fact for fact in facts if fact.absent]
    if missing:
        return missing
    if len(facts) == 1:
        return [replace(facts[0], holds=not facts[0].holds)]
    failed = [fact for fact in facts if not fact.holds]
    what = "; ".join(fact.what for fact in failed) if failed else f"all {len(facts)} findings hold"
    return [Fact(holds=bool(failed), what=what, expected=UNSET)]


def _label(check: Check, args: Args, seen: Evidence) -> str:
    """``mentions "20"``: the type, and its arguments as a result line shows them."""
    try:
        return clip(f"{check.shown_type} {seen.kinds[check.type].label(args)}".rstrip(), LABEL_LIMIT)
    except (KeyError, TypeError, ValueError, AttributeError):  # arguments of another shape are the check's own error
        return check.shown_type
