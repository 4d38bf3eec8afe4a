"""The working side of ``wt doctor``: find the pack, examine, tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...schemas.codec import encode_pretty
from ...schemas.doctor import DoctorCheck
from ...schemas.documents import Pack
from ...schemas.errors import DocumentFault, UsageFault
from ..added_agents import AddedAgent
from ..doctor.examine import BrokenPack, examine
from ..doctor.told import lines_of, summary_line
from ..event_loop import run_to_end
from ..loading.find import PACK_FILE, find_pack
from ..loading.load import load_pack
from ..report.streams import Streams
from ..sweep.link import Link
from .own_record import on_record

WITHOUT_A_PACK = "first_flight"


def examined(
    pack: str | None, agents: Sequence[str], added: Sequence[AddedAgent], link: Link, *,
    record: Path, runs_dir: Path, as_json: bool, env: Mapping[str, str], folder: Path,
) -> int:
    """Return the exit code, which ``record`` holds as well."""
    streams = Streams()

    def tell(check: DoctorCheck) -> None:
        for line in lines_of(check):
            (streams.err if as_json else streams.out)(line)

    def work() -> int:
        found = _loaded(_meant(pack, folder), added)
        report = run_to_end(examine(
            found, agents, tell, runs_dir=runs_dir, env=env, folder=folder, scratch=record.parent
        ))
        streams.out(encode_pretty(report).decode().rstrip("\n") if as_json else summary_line(report))
        return report.exit_code

    return on_record(record, link, streams, work)


def _loaded(path: Path, added: Sequence[AddedAgent]) -> Pack | BrokenPack:
    try:
        return load_pack(path, agents=added)
    except DocumentFault as fault:
        return BrokenPack(shown=str(path), fault=fault)


def _meant(pack: str | None, folder: Path) -> Path:
    """What is named; else the pack of this folder, or the built-in one that needs no model."""
    if pack is not None:
        path = find_pack(pack)
        if not path.exists():
            raise UsageFault(f"{path}: there is no such pack; name one that there is")
        return path
    here = folder / PACK_FILE
    return Path(PACK_FILE) if here.is_file() else find_pack(WITHOUT_A_PACK)
