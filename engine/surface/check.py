"""Compare a pack with its golden file; what cannot be compared is a fault, and never the same."""

from __future__ import annotations

from dataclasses import dataclass

from ...schemas.codec import encode_pretty
from ...schemas.errors import UsageFault
from ...schemas.surfaces import SurfaceDiff
from ..report.outputs import clear_outputs, write_outputs
from .asked import Asked
from .capture import capture
from .compare import Compared
from .look import look
from .read_golden import read_golden
from .selection import selection_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """``diff`` None: it was interrupted. ``lost``: an output that could not be written; ``remedy``: how to record."""

    code: int
    diff: SurfaceDiff | None = None
    lost: tuple[str, ...] = ()
    remedy: str = ""
    has_text: bool = False


async def check(asked: Asked, *, gate: bool) -> Checked:
    """``gate``: a difference is exit code 1. Raises DocumentFault and UsageFault, also for the golden file."""
    ((named, pack),) = asked.loaded().items()
    place = asked.place(named, pack)
    golden = read_golden(place, pack.name, asked.remedy(named))
    has_text = isinstance(golden.texts, dict)
    selection = selection_of([pack], asked.options, {pack.name: tuple(golden.agents)})
    clear_outputs(asked.options)
    captured = await capture([pack], selection, env=asked.env, folder=asked.folder, scratch=asked.scratch)
    if captured.interrupted:
        return Checked(code=captured.interrupted)
    seen = look(pack, golden, selection, captured, asked.options)
    if not seen.on_record:
        raise UsageFault(
            f"{place}: covers none of the pairs of scenario and agent that are selected ({_some(seen.asked)}); "
            f"record them: {asked.remedy(named, store_text=has_text)}"
        )
    compared = seen.compared()
    code = _code(compared, gate=gate)
    diff = SurfaceDiff(
        pack=pack.name, golden=str(place), exit_code=code, pairs=compared.pairs, differences=compared.differences
    )
    lost = write_outputs(asked.options, code, json=lambda _: encode_pretty(diff))
    return Checked(
        code=3 if lost and code == 0 else code, diff=diff, lost=tuple(lost), has_text=has_text,
        remedy=asked.remedy(named, store_text=has_text),
    )


def _code(compared: Compared, *, gate: bool) -> int:
    kinds = {one.kind for one in compared.differences}
    if gate and kinds - {"unseen"}:
        return 1
    return 3 if "unseen" in kinds else 0


def _some(pairs: list[tuple[str, str]]) -> str:
    agent, scenario = pairs[0]
    return f"{scenario} with {agent}{f' and {len(pairs) - 1} more' if pairs[1:] else ''}"
