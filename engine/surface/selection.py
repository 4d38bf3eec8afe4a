"""Choose whose surface is looked at: what is asked for; else the agent that ``wt run`` takes, and those on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...schemas.documents import Agent, Pack
from ...schemas.errors import UsageFault
from ..options import RunOptions
from ..sweep.select import (
    Excluded,
    Pair,
    Selection,
    agents_of,
    refuse_empty_globs,
    refuse_namesakes,
    scenarios_of,
    select,
)


def selection_of(packs: Sequence[Pack], options: RunOptions, recorded: Mapping[str, Sequence[str]]) -> Selection:
    """One try of each pair. ``recorded`` are the agents that a pack's golden file covers. Raises UsageFault."""
    chosen = select(packs, options) if options.agents else _joined(_each(packs, options, recorded))
    pairs = tuple(replace(pair, scenario=replace(pair.scenario, runs=1)) for pair in chosen.pairs)
    seen = tuple(pair for pair in pairs if pair.scenario.skip is None)
    if not seen:
        raise UsageFault("every selected scenario is skipped by its pack, so there is nothing to look at")
    return Selection(pairs=seen, excluded=chosen.excluded)


def _each(packs: Sequence[Pack], options: RunOptions, recorded: Mapping[str, Sequence[str]]) -> Iterator[Selection]:
    """Pack by pack, for each has agents on record of its own."""
    refuse_namesakes(packs)
    refuse_empty_globs(packs, options)
    for pack in packs:
        if len(packs) > 1 and not any(scenarios_of(pack, options)):
            continue
        agents = _agents(pack, recorded.get(pack.name, ()))
        yield select([pack], replace(options, agents=tuple(agent.id for agent in agents)))


def _agents(pack: Pack, recorded: Sequence[str]) -> list[Agent]:
    if pack.added:
        return agents_of(pack, ())
    known = [agent for id_, agent in pack.agents.items() if id_ in recorded and agent.role == "subject"]
    if known and not pack.default_agent:
        return known
    return list({agent.id: agent for agent in (*agents_of(pack, ()), *known)}.values())


def _joined(each: Iterator[Selection]) -> Selection:
    pairs: list[Pair] = []
    excluded: list[Excluded] = []
    for one in each:
        pairs += one.pairs
        excluded += one.excluded
    return Selection(pairs=tuple(pairs), excluded=tuple(excluded))
