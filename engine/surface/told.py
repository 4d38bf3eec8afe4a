"""What was recorded, and what differs, in lines for people and CI logs; nothing of a prompt or a tool is obeyed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...schemas.counted import counted
from ...schemas.surfaces import DifferenceKind, SegmentDifference, SegmentSize, SurfaceDiff, SurfaceDifference
from ..report.inert import inert
from .record import SurfaceRecording

CHARS = 400
MOST_SCENARIOS = 5
MOST_LINES = 2000
SHORT = 8
KINDS: Mapping[DifferenceKind, str] = {
    "unrecorded": "not recorded", "gone": "recorded, and the pack has it no longer", "unseen": "could not be looked at",
}


def recorded_line(one: SurfaceRecording) -> str:
    """``recorded shop.surface.json: 2 agents, 4 pairs, 2 surfaces``."""
    held = ", ".join((counted(one.agents, "agent"), counted(one.pairs, "pair"), counted(one.surfaces, "surface")))
    return inert(f"{'recorded' if one.changed else 'unchanged'} {one.path}: {held}")


def lines_of(diff: SurfaceDiff) -> Iterator[str]:
    """One line a difference, one a segment below it, and below that what changed in its text."""
    lines = [line for one in diff.differences for line in _of_difference(one)]
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        yield f"... and {len(lines) - MOST_LINES} lines more; --json FILE holds all of them"


def summary_line(diff: SurfaceDiff) -> str:
    """``shop: 3 of 4 pairs of scenario and agent are as recorded in shop.surface.json``."""
    off = sum(len(one.scenarios) for one in diff.differences)
    of = f"{diff.pairs - off} of " if off else ""
    pairs = counted(diff.pairs, "pair of scenario and agent is", "pairs of scenario and agent are")
    told = f"{of}{pairs} as recorded in {diff.golden}"
    return inert(f"{diff.pack}: {told}", CHARS)


def scenarios_told(scenarios: Sequence[str]) -> str:
    """Some by name, the others by number."""
    more = len(scenarios) - MOST_SCENARIOS
    return ", ".join(scenarios[:MOST_SCENARIOS]) + (f" and {more} more" if more > 0 else "")


def _of_difference(one: SurfaceDifference) -> Iterator[str]:
    head = f"{one.agent}  {scenarios_told(one.scenarios)}"
    if one.kind != "changed":
        reason = f": {one.reason}" if isinstance(one.reason, str) else ""
        yield inert(f"{head}: {KINDS[one.kind]}{reason}", CHARS)
        return
    yield inert(head, CHARS)
    for segment in one.segments:
        yield inert(f"  {segment.change:<7}  {segment.name}  {_what(segment)}", CHARS)
        if isinstance(segment.diff, list):
            yield from (inert(f"    {line}", CHARS) for line in segment.diff)


def _what(segment: SegmentDifference) -> str:
    if isinstance(segment.after, str):
        return f"now after {segment.after}" if segment.after else "now first"
    return " -> ".join(_size(size) for size in (segment.recorded, segment.found) if isinstance(size, SegmentSize))


def _size(size: SegmentSize) -> str:
    return f"{size.sha256[:SHORT]}, {size.chars} characters"
