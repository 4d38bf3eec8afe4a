"""Read a golden file, and refuse one that nobody may call green."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...schemas.catalog import artifact_faults
from ...schemas.codec import CodecFault, decode
from ...schemas.errors import UsageFault
from ...schemas.input_file import read_input
from ...schemas.surfaces import GoldenFile
from .segments import sha256_of, sha256_of_text

MOST_BYTES = 64 << 20
VERSION = 1
OURS = re.compile(rb'\s*\{\s*"kind"\s*:\s*"surface"')  # also of one that is torn, or has marks of a merge in it
NEWER = re.compile(rb'"schema_version"\s*:\s*(\d{1,9})\b')


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
