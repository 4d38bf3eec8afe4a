"""The golden file: where it is, and what is in it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from ...schemas.codec import UNSET, encode_pretty
from ...schemas.documents import Pack
from ...schemas.surfaces import GoldenFile, RecordedSurface, Segment, Surface
from ..loading.find import find_pack

SUFFIX = ".surface.json"
Surfaces = Mapping[tuple[str, str], Surface]
"""By agent and scenario."""


def default_place(named: str, pack: Pack) -> Path:
    """Beside the pack's document; for a pack that is named, not pointed at, in this folder."""
    pointed_at = os.path.exists(named)
    return find_pack(named).with_suffix(SUFFIX) if pointed_at else Path(f"{pack.name}{SUFFIX}")


def surfaces_of(golden: GoldenFile) -> dict[tuple[str, str], Surface]:
    """What is recorded, by agent and scenario, with the texts that are known."""
    texts = golden.texts if isinstance(golden.texts, dict) else {}
    return {
        (agent, scenario): Surface(sha256=one.sha256, segments=[_with_text(each, texts) for each in one.segments])
        for agent, surfaces in golden.agents.items() for one in surfaces for scenario in one.scenarios
    }


def golden_bytes(pack: str, surfaces: Surfaces, *, store_text: bool) -> bytes:
    """The golden file: the same bytes for the same surfaces, so that what differs in it differs for a reason.

    Texts that the surfaces bring along are left out unless ``store_text``.
    """
    shared: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    by_hash = {surface.sha256: surface for surface in surfaces.values()}
    for agent, scenario in sorted(surfaces):
        shared[agent][surfaces[agent, scenario].sha256].append(scenario)
    shown = [segment for surface in surfaces.values() for segment in surface.segments]
    texts = {segment.sha256: segment.text for segment in shown if isinstance(segment.text, str)}
    return encode_pretty(GoldenFile(
        pack=pack,
        agents={
            agent: [
                RecordedSurface(sha256=sha256, scenarios=names, segments=[_bare(s) for s in by_hash[sha256].segments])
                for sha256, names in found.items()
            ]
            for agent, found in shared.items()
        },
        texts=dict(sorted(texts.items())) if store_text else UNSET,
    ))


def _with_text(segment: Segment, texts: Mapping[str, str]) -> Segment:
    text = texts.get(segment.sha256, UNSET)
    return Segment(name=segment.name, sha256=segment.sha256, chars=segment.chars, text=text)


def _bare(segment: Segment) -> Segment:
    return Segment(name=segment.name, sha256=segment.sha256, chars=segment.chars)
