"""Record the surfaces of packs: look at all of them first, then write each golden file whole, or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...schemas.bounded import describe_error
from ...schemas.counted import counted
from ...schemas.errors import EvidenceMissing, UsageFault
from ...schemas.input_file import read_input
from ...schemas.surfaces import GoldenFile
from ..report.outputs import put
from .asked import Asked
from .capture import capture
from .golden import MOST_BYTES, Surfaces, golden_bytes, read_golden, refuse_foreign
from .look import Look, look
from .selection import selection_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What was written: ``lines`` are results, ``warnings`` what was replaced unread; ``code`` is the exit code."""

    lines: Sequence[str] = ()
    warnings: Sequence[str] = ()
    code: int = 0


async def record(asked: Asked) -> Recorded:
    """Raises DocumentFault and UsageFault before anything is looked at, EvidenceMissing where a file is not written."""
    called = asked.loaded()
    packs = list(called.values())
    if asked.golden is not None and len(packs) > 1:
        raise UsageFault(f"--out {asked.golden}: one file records one pack; name one, or leave --out away")
    places = [asked.place(named, pack) for named, pack in called.items()]
    there: list[GoldenFile | None] = []
    warnings: list[str] = []
    for named, place in zip(called, places, strict=True):
        golden, fault = _there(place, called[named].name, asked.remedy(named))
        there.append(golden)
        warnings += [f"{fault.partition(';')[0]}; it is replaced"] if fault else []
    recorded = {golden.pack: tuple(golden.agents) for golden in there if golden is not None}
    selection = selection_of(packs, asked.options, recorded)
    captured = await capture(packs, selection, env=asked.env, folder=asked.folder, scratch=asked.scratch)
    if captured.interrupted:
        return Recorded(code=captured.interrupted)
    looks = [look(pack, golden, selection, captured, asked.options) for pack, golden in zip(packs, there, strict=True)]
    _refuse_unseen(looks)
    lines = [_write(one, place, asked) for one, place in zip(looks, places, strict=True) if one.found]
    return Recorded(lines=lines, warnings=warnings)


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


def _write(one: Look, place: Path, asked: Asked) -> str:
    surfaces = {**one.kept, **one.found}
    data = golden_bytes(one.pack.name, surfaces, store_text=asked.store_text)
    told = f"{place}: {_measured(surfaces)}"
    if _holds(place, data):
        return f"unchanged {told}"
    try:
        put(asked.folder / place, data)
    except OSError as error:
        told = f"{place}: could not be written: {describe_error(error)}"
        raise EvidenceMissing(f"{told}; name another with --out") from None
    return f"recorded {told}"


def _holds(place: Path, data: bytes) -> bool:
    try:
        return place.is_file() and read_input(place, MOST_BYTES) == data
    except OSError:
        return False


def _measured(surfaces: Surfaces) -> str:
    agents = {agent for agent, _ in surfaces}
    kinds = {(agent, surface.sha256) for (agent, _), surface in surfaces.items()}
    counts = counted(len(agents), "agent"), counted(len(surfaces), "pair"), counted(len(kinds), "surface")
    return ", ".join(counts)
