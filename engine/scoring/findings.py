"""Turn what a check came to into findings, as they are kept and read."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.codec import UNSET
from ...schemas.scenario_documents import Check
from ...schemas.scores import Finding
from .base import Fact
from .evidence import Evidence
from .settle import Settled, settle
from .shown import clip, kept


async def findings_of(check: Check, layer: str, seen: Evidence) -> list[Finding]:
    """The findings of one check: what it found, that it was skipped (``passed`` None), or that it erred (``error``)."""
    return list(_findings(check, layer, await settle(check, seen)))


def _findings(check: Check, layer: str, settled: Settled) -> Iterator[Finding]:
    named = f"{check.name} ({settled.label})" if check.name else settled.label
    if settled.error or settled.why_skipped:
        yield Finding(
            layer=layer, check=check.name or settled.label, type=check.shown_type, passed=None, gate=check.gate,
            detail=clip(f"{named}: {settled.error or settled.why_skipped}"), error=True if settled.error else UNSET,
        )
    for fact in settled.facts:
        yield _finding(check, layer, settled.label, named, fact)


def _finding(check: Check, layer: str, label: str, named: str, fact: Fact) -> Finding:
    about = f"{fact.about}: " if fact.about else ""
    return Finding(
        layer=layer, check=check.name or label, type=check.shown_type, passed=fact.holds, gate=check.gate,
        detail=clip(f"{named}: {about}{fact.what}"), expected=kept(fact.expected), found=kept(fact.found),
    )
