"""Record the surfaces of packs: look at all of them first, then write each golden file whole, or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...schemas.bounded import describe_error
from ...schemas.errors import EvidenceMissing, UsageFault
from ...schemas.input_file import read_input
from ...schemas.surfaces import GoldenFile
from ..report.outputs import put, refuse_no_place
from .asked import Asked
from .capture import capture
from .golden import golden_bytes
from .look import Look, look
from .read_golden import MOST_BYTES, read_golden, refuse_foreign
from .selection import selection_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceRecording:
    """One golden file, and how many agents, pairs of scenario and agent, and different surfaces it holds.

    ``changed`` False: it was there, byte for byte. ``unread``: why what was there before could not be read.
    """

    path: Path
    changed: bool
    agents: int
    pairs: int
    surfaces: int
    unread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One file a pack of which something was looked at; ``interrupted``: the exit code of a signal, and no file."""

    files: Sequence[SurfaceRecording] = ()
    interrupted: int = 0


async def record(asked: Asked) -> Recorded:
    """Raises DocumentFault and UsageFault before anything is looked at, EvidenceMissing where a file is not written."""
    called = asked.loaded()
    packs = list(called.values())
    if asked.golden is not None and len(packs) > 1:
        raise UsageFault(f"--out {asked.golden}: one file records one pack; name one, or leave --out away")
    if asked.golden is not None:
        refuse_no_place("--out", asked.golden)
    places = [asked.place(named, pack) for named, pack in called.items()]
    there = [
        _there(place, called[named].name, asked.remedy(named)) for named, place in zip(called, places, strict=True)
    ]
    recorded = {golden.pack: tuple(golden.agents) for golden, _ in there if golden is not None}
    selection = selection_of(packs, asked.options, recorded)
    captured = await capture(packs, selection, env=asked.env, folder=asked.folder, scratch=asked.scratch)
    if captured.interrupted:
        return Recorded(interrupted=captured.interrupted)
    looks = [
        look(pack, golden, selection, captured, asked.options) for pack, (golden, _) in zip(packs, there, strict=True)
    ]
    _refuse_unseen(looks)
    return Recorded(files=[
        _write(one, place, asked, unread)
        for one, place, (_, unread) in zip(looks, places, there, strict=True) if one.found
    ])


def _there(place: Path, pack: str, remedy: str) -> tuple[GoldenFile | None, str]:
    """The golden file that is there, or why it cannot be read. Raises UsageFault for one that is not ours."""
    if not place.is_file():
        return None, ""
    refuse_foreign(place)
    try:
        return read_golden(place, pack, remedy), ""
    except UsageFault as fault:
        return None, str(fault)


def _refuse_unseen(looks: Sequence[Look]) -> None:
    unseen = [f"{one.pack.name}/{s}  {a}: {why}" for one in looks for (a, s), why in one.unseen.items()]
    if unseen:
        raise EvidenceMissing("\n".join([
            *(f"could not be looked at: {line}" for line in unseen),
            "nothing was written; mend that, or leave the agent or the scenario out with --agent and --scenario",
        ]))


def _write(one: Look, place: Path, asked: Asked, unread: str) -> SurfaceRecording:
    surfaces = {**one.kept, **one.found}
    data = golden_bytes(one.pack.name, surfaces, store_text=asked.store_text)
    changed = not _holds(place, data)
    if changed:
        _put(place, data, asked.folder)
    return SurfaceRecording(
        path=place, changed=changed, unread=unread, agents=len({agent for agent, _ in surfaces}), pairs=len(surfaces),
        surfaces=len({(agent, surface.sha256) for (agent, _), surface in surfaces.items()}),
    )


def _put(place: Path, data: bytes, folder: Path) -> None:
    try:
        put(folder / place, data)
    except OSError as error:
        told = f"{place}: could not be written: {describe_error(error)}"
        raise EvidenceMissing(f"{told}; name another with --out") from None


def _holds(place: Path, data: bytes) -> bool:
    try:
        return place.is_file() and read_input(place, MOST_BYTES) == data
    except OSError:
        return False
