"""What an agent is shown, segment by segment, as a trace and a golden file hold it: frozen records with a schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .codec import UNSET, UnsetType

SegmentChange = Literal["added", "removed", "changed", "moved"]
DifferenceKind = Literal["changed", "unrecorded", "gone", "unseen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One thing that an agent is shown: its prompt, a tool, a guard. ``sha256`` is that of its text in UTF-8.

    The text is the value itself where that is text, and its canonical JSON where not; it is kept on request alone.
    """

    name: str
    sha256: str
    chars: int
    text: str | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """All that one session is shown, in order; ``sha256`` "" where nobody has looked."""

    sha256: str = ""
    segments: list[Segment] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSurface:
    """A surface with the scenarios that share it."""

    sha256: str
    scenarios: list[str]
    segments: list[Segment]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenFile:
    """The surfaces of a pack, by agent; ``texts``, by sha256, where they were asked for."""

    kind: str = "surface"
    schema_version: int = 1
    pack: str
    agents: dict[str, list[RecordedSurface]]
    texts: dict[str, str] | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSize:
    """A segment without its name: which it was, and how long."""

    sha256: str
    chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentDifference:
    """What became of one segment. ``after``: the one that a moved segment now follows, "" where it is the first.

    ``diff`` holds the lines of a unified diff, where both texts are known.
    """

    name: str
    change: SegmentChange
    recorded: SegmentSize | UnsetType = UNSET
    found: SegmentSize | UnsetType = UNSET
    after: str | UnsetType = UNSET
    diff: list[str] | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceDifference:
    """One difference, and all the scenarios of an agent in which it is the same.

    ``unrecorded``: the golden file lacks the pair of scenario and agent; ``gone``: the pack has it no longer;
    ``unseen``: it could not be looked at, for ``reason``.
    """

    agent: str
    scenarios: list[str]
    kind: DifferenceKind
    segments: list[SegmentDifference] = field(default_factory=list)
    reason: str | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceDiff:
    """What ``wt surface diff|check --json FILE`` writes; ``pairs`` is how many were compared or told."""

    schema_version: int = 1
    pack: str
    golden: str
    exit_code: int
    pairs: int
    differences: list[SurfaceDifference]
