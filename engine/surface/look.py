"""Look at a pack and at its golden file: what is recorded, what is found, what the pack has no longer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ...schemas.documents import Pack
from ...schemas.surfaces import GoldenFile, Surface
from ..options import RunOptions
from ..sweep.select import Selection, is_picked
from .capture import Captured, Key
from .compare import AgentScenario, Compared, compare
from .golden import surfaces_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is there of one pack. ``gone`` is recorded, and the pack has it no longer."""

    pack: Pack
    recorded: Mapping[AgentScenario, Surface]
    found: Mapping[AgentScenario, Surface]
    gone: tuple[AgentScenario, ...]
    unseen: Mapping[AgentScenario, str]

    @property
    def asked(self) -> list[AgentScenario]:
        """The pairs that were selected."""
        return [*self.found, *self.unseen]

    @property
    def on_record(self) -> bool:
        """Whether any of them is recorded."""
        return any(pair in self.recorded for pair in self.asked)

    @property
    def kept(self) -> dict[AgentScenario, Surface]:
        """Recorded pairs that were not asked for, and may stay as they are."""
        out = {*self.found, *self.gone}
        return {pair: surface for pair, surface in self.recorded.items() if pair not in out}

    def compared(self) -> Compared:
        """How what is found differs from what is recorded."""
        return compare(self.recorded, self.found, self.gone, self.unseen)


def look(pack: Pack, golden: GoldenFile | None, selection: Selection, captured: Captured, options: RunOptions) -> Look:
    """``golden`` None: nothing is recorded. Of recorded pairs that were not asked for, nothing is said."""
    recorded = surfaces_of(golden) if golden is not None else {}
    found = _of(pack, captured.surfaces)
    excluded = {(left.agent, left.scenario) for left in selection.excluded if left.pack == pack.name}
    agents = options.agents or tuple(id_ for added in pack.added for id_ in added.ids)
    meant = [pair for pair in recorded if _meant(pair[0], agents) and _meant(pair[1], options.scenarios)]
    gone = tuple(pair for pair in meant if _is_gone(pair, pack, excluded))
    return Look(pack=pack, recorded=recorded, found=found, gone=gone, unseen=_of(pack, captured.unseen))


def _of(pack: Pack, seen: Mapping[Key, T]) -> dict[AgentScenario, T]:
    return {(agent, scenario): one for (name, scenario, agent), one in seen.items() if name == pack.name}


def _is_gone(pair: AgentScenario, pack: Pack, excluded: Collection[AgentScenario]) -> bool:
    agent, scenario = pair
    known = pack.agents.get(agent)
    return known is None or known.role != "subject" or scenario not in pack.scenarios or pair in excluded


def _meant(name: str, globs: tuple[str, ...]) -> bool:
    return not globs or is_picked(globs, name)
