"""The golden file: where it is, what is in it, and by which of its faults nobody may call it green."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...schemas.catalog import artifact_faults
from ...schemas.codec import UNSET, CodecFault, decode, encode_pretty
from ...schemas.documents import Pack
from ...schemas.errors import UsageFault
from ...schemas.input_file import read_input
from ...schemas.surfaces import GoldenFile, RecordedSurface, Segment, Surface
from ..loading.find import find_pack
from .segments import sha256_of, sha256_of_text

MOST_BYTES = 64 << 20
VERSION = 1
SUFFIX = ".surface.json"
OURS = re.compile(rb'\s*\{\s*"kind"\s*:\s*"surface"')  # also of one that is torn, or has marks of a merge in it
NEWER = re.compile(rb'"schema_version"\s*:\s*(\d{1,9})\b')
Surfaces = Mapping[tuple[str, str], Surface]
"""By agent and scenario."""


def default_place(named: str, pack: Pack) -> Path:
    """Beside the pack's document; for a pack that is named, not pointed at, in this folder."""
    pointed_at = os.path.exists(named)
    return find_pack(named).with_suffix(SUFFIX) if pointed_at else Path(f"{pack.name}{SUFFIX}")


def read_golden(path: Path, pack: str, remedy: str) -> GoldenFile:
    """The golden file of a pack. Raises UsageFault with what is wrong with it; ``remedy`` is how to record it."""
    try:
        data = read_input(path, MOST_BYTES)
    except FileNotFoundError:
        raise UsageFault(f"{path}: there is no golden file; record it first: {remedy}") from None
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}; record it anew: {remedy}") from None
    if len(data) > MOST_BYTES:
        raise UsageFault(f"{path}: is larger than {MOST_BYTES >> 20} MiB; record it without --store-text: {remedy}")
    golden = _decoded(data, path, remedy)
    if golden.pack != pack:
        raise UsageFault(
            f"{path}: records pack '{golden.pack}', not '{pack}'; name the file of this pack with --golden, "
            f"or record it: {remedy}"
        )
    return golden


def refuse_foreign(path: Path) -> None:
    """Raises UsageFault where the file that is there is none that `wt surface record` may replace."""
    try:
        data = read_input(path, MOST_BYTES)
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}; name another with --out") from None
    if not OURS.match(data):
        raise UsageFault(f"{path}: is no golden file, and stays as it is; remove it, or name another with --out")
    version = NEWER.search(data)
    if version is not None and int(version[1]) > VERSION:
        raise UsageFault(f"{path}: {_newer(int(version[1]))}")


def _newer(version: int) -> str:
    return f"schema_version {version} is newer than {VERSION}, which this wt reads; update wt"


def _decoded(data: bytes, path: Path, remedy: str) -> GoldenFile:
    try:
        plain = decode(data)
    except CodecFault:
        raise UsageFault(
            f"{path}: is not whole JSON (cut off, or merged badly); bring it back, or record it anew: {remedy}"
        ) from None
    if not isinstance(plain, dict) or plain.get("kind") != "surface":
        raise UsageFault(f"{path}: is no golden file of `wt surface record`; name one with --golden")
    version = plain.get("schema_version")
    if isinstance(version, int) and version > VERSION:
        raise UsageFault(f"{path}: {_newer(version)}")
    faults = artifact_faults("surface", plain)
    if not faults:
        golden = decode(data, GoldenFile)
        faults = list(_broken(golden))
    if faults:
        raise UsageFault(f"{path}: {faults[0]}; it was changed by hand, or merged badly; record it anew: {remedy}")
    return golden


def _broken(golden: GoldenFile) -> Iterator[str]:
    """What no recording ever writes: hashes that do not belong to what they stand beside."""
    for agent, surfaces in golden.agents.items():
        seen: set[str] = set()
        for one in surfaces:
            if one.sha256 != sha256_of(one.segments):
                yield f"agents.{agent}: the hash {one.sha256[:8]} is not that of its segments"
            if seen.intersection(one.scenarios):
                yield f"agents.{agent}: a scenario stands there twice"
            seen.update(one.scenarios)
    if isinstance(golden.texts, dict):
        for sha256, text in golden.texts.items():
            if sha256 != sha256_of_text(text):
                yield f"texts: the hash {sha256[:8]} is not that of its text"


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
