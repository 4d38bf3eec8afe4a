"""A skeleton is data: stages, points and loops, each with the place in the file that put it there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...schemas.problems import Mark

Level = Literal["sweep", "batch", "run", "turn"]

# a loop's name, the level it stands in, and the level of its body
LOOPS: Mapping[str, tuple[Level, Level]] = {
    "each_batch": ("sweep", "batch"),
    "each_run": ("batch", "run"),
    "each_turn": ("run", "turn"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStep:
    """A stage with its parameters."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class PointStep:
    """A place at which hooks fire."""

    name: str
    mark: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopStep:
    """``each_run``, ``each_turn`` or (at sweep level, without a body of its own) ``each_batch``."""

    name: str
    body: tuple[Step, ...] = ()
    mark: Mark


Step = StageStep | PointStep | LoopStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeleton:
    """The declared order of a run; ``planned`` holds each step of the walk with the facts held before it."""

    name: str
    batch: tuple[Step, ...]
    sweep: tuple[Step, ...]
    planned: tuple[PlannedStep, ...] = ()

    def points(self) -> tuple[str, ...]:
        """Every point that this skeleton fires, in order."""
        return tuple(step.name for step in self.planned if step.kind == "point")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """One step as ``wt plan`` prints it."""

    kind: Literal["stage", "point", "loop"]
    name: str
    level: Level
    depth: int
    facts: frozenset[str]
