"""Compare what is recorded with what is found: segment by segment, and once for all scenarios that differ alike."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...schemas.codec import UNSET, UnsetType, encode
from ...schemas.surfaces import DifferenceKind, Segment, SegmentDifference, SegmentSize, Surface, SurfaceDifference
from .lines import diff_lines

AgentScenario = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """``pairs`` is how many were looked at; ``differences`` are in the order of agents and scenarios."""

    pairs: int
    differences: list[SurfaceDifference]


def compare(
    recorded: Mapping[AgentScenario, Surface], found: Mapping[AgentScenario, Surface], gone: Sequence[AgentScenario],
    unseen: Mapping[AgentScenario, str],
) -> Compared:
    """``gone`` are those recorded pairs that the pack no longer has; ``unseen`` tells why a pair was not found.

    Other recorded pairs that were not found are left alone.
    """
    off = [pair for pair, surface in found.items() if pair in recorded and recorded[pair].sha256 != surface.sha256]
    differences = list(_changed(off, recorded, found))
    others: dict[tuple[DifferenceKind, str, str], list[AgentScenario]] = defaultdict(list)
    for pair in found:
        if pair not in recorded:
            others["unrecorded", pair[0], ""].append(pair)
    for pair in gone:
        others["gone", pair[0], ""].append(pair)
    for pair, reason in unseen.items():
        others["unseen", pair[0], reason].append(pair)
    differences += [_told(kind, pairs, reason) for (kind, _, reason), pairs in others.items()]
    differences.sort(key=lambda one: (one.agent, one.scenarios))
    return Compared(pairs=len(found) + len(gone) + len(unseen), differences=differences)


def _told(
    kind: DifferenceKind, pairs: Sequence[AgentScenario], reason: str = "", segments: Sequence[SegmentDifference] = ()
) -> SurfaceDifference:
    return SurfaceDifference(
        agent=pairs[0][0], scenarios=sorted(scenario for _, scenario in pairs), kind=kind, segments=list(segments),
        reason=reason or UNSET,
    )


def _changed(
    pairs: Sequence[AgentScenario], recorded: Mapping[AgentScenario, Surface], found: Mapping[AgentScenario, Surface]
) -> Iterator[SurfaceDifference]:
    """Alike is what differs alike, whatever the rest is: prompts may name their scenario where one tool has changed."""
    seen: dict[tuple[str, str], tuple[bytes, list[SegmentDifference]]] = {}
    alike: dict[tuple[str, bytes], tuple[list[AgentScenario], list[SegmentDifference]]] = {}
    for pair in pairs:
        before, after = recorded[pair], found[pair]
        key = before.sha256, after.sha256
        if key not in seen:
            segments = list(segment_differences(before.segments, after.segments))
            seen[key] = encode(segments), segments
        alike.setdefault((pair[0], seen[key][0]), ([], seen[key][1]))[0].append(pair)
    for same, segments in alike.values():
        yield _told("changed", same, segments=segments)


def segment_differences(recorded: Sequence[Segment], found: Sequence[Segment]) -> Iterator[SegmentDifference]:
    """What became of each segment: removed ones first, then the others in their order now."""
    old, new = {one.name: one for one in recorded}, {one.name: one for one in found}
    for name, one in old.items():
        if name not in new:
            yield SegmentDifference(name=name, change="removed", recorded=_size(one))
    moved = _moved([name for name in old if name in new], [name for name in new if name in old])
    last = ""
    for name, one in new.items():
        after, last = last, name
        if name not in old:
            yield SegmentDifference(name=name, change="added", found=_size(one))
            continue
        if old[name].sha256 != one.sha256:
            yield SegmentDifference(
                name=name, change="changed", recorded=_size(old[name]), found=_size(one), diff=_diff(old[name], one)
            )
        if name in moved:
            yield SegmentDifference(name=name, change="moved", after=after)


def _diff(before: Segment, after: Segment) -> list[str] | UnsetType:
    if isinstance(before.text, str) and isinstance(after.text, str):
        return diff_lines(before.text, after.text)
    return UNSET


def _size(segment: Segment) -> SegmentSize:
    return SegmentSize(sha256=segment.sha256, chars=segment.chars)


def _moved(before: Sequence[str], after: Sequence[str]) -> frozenset[str]:
    """The fewest names that, taken out, leave the rest in one order: all but a longest rising sequence."""
    place = {name: n for n, name in enumerate(before)}
    tops: list[int] = []  # the least end of a rising sequence of each length
    lengths: list[int] = []
    for name in after:
        length = bisect_left(tops, place[name])
        tops[length : length + 1] = [place[name]]
        lengths.append(length)
    kept: set[str] = set()
    wanted, least = len(tops) - 1, len(place)
    for name, length in zip(reversed(after), reversed(lengths), strict=True):
        if length == wanted and place[name] < least:
            kept.add(name)
            least, wanted = place[name], wanted - 1
    return frozenset(after) - kept
