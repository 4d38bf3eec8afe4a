"""Choose what a sweep runs: scenarios by glob and tag, agents by glob; what a scenario excludes is told, never lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from ...schemas.documents import Agent, Pack
from ...schemas.errors import UsageFault
from ...schemas.nearest import did_you_mean
from ...schemas.scenario_documents import Scenario
from ..options import RunOptions
from .deliverable import undeliverable


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One scenario with one agent: a batch to be run."""

    pack: Pack
    scenario: Scenario
    agent: Agent


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """A scenario and an agent that were asked for and are not run together, with the reason."""

    pack: str
    scenario: str
    agent: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The batches of a sweep in their order, and what was left out."""

    pairs: tuple[Pair, ...]
    excluded: tuple[Excluded, ...]

    @property
    def runs(self) -> int:
        """How many runs are asked for; those of skipped scenarios are none."""
        return sum(pair.scenario.runs for pair in self.pairs if pair.scenario.skip is None)


def select(packs: Sequence[Pack], options: RunOptions) -> Selection:
    """Raises UsageFault where a glob, tag or agent matches nothing, or nothing at all is left.

    So it does where a scenario is left without any agent, because none can be given its perturbations or its cell.
    """
    refuse_namesakes(packs)
    refuse_empty_globs(packs, options)
    pairs: list[Pair] = []
    excluded: list[Excluded] = []
    for pack in packs:
        agents = agents_of(pack, options.agents)
        for scenario in scenarios_of(pack, options):
            reasons = {agent.id: _why_excluded(scenario, agent) for agent in agents}
            pairs += [Pair(pack=pack, scenario=_with_runs(scenario, options), agent=agent)
                      for agent in agents if not reasons[agent.id]]
            excluded += [Excluded(pack=pack.name, scenario=scenario.id, agent=name, reason=reason)
                         for name, reason in reasons.items() if reason]
            _refuse_unperturbed(pack, scenario, agents, reasons)
    if not pairs:
        raise UsageFault("the selection matches nothing, so nothing would run; " + _why_empty(excluded))
    return Selection(pairs=tuple(pairs), excluded=tuple(excluded))


def _why_excluded(scenario: Scenario, agent: Agent) -> str:
    if not is_picked(scenario.agents, agent.id):
        return f"the scenario is for agents {', '.join(scenario.agents)}"
    return undeliverable(scenario, agent)


def _refuse_unperturbed(pack: Pack, scenario: Scenario, agents: Sequence[Agent], reasons: Mapping[str, str]) -> None:
    """A scenario whose weather, or cell, reaches no agent would silently shrink the sweep."""
    meant = [agent for agent in agents if is_picked(scenario.agents, agent.id)]
    if meant and all(reasons[agent.id] for agent in meant):
        raise UsageFault(
            f"{pack.name}/{scenario.bare_id}: no selected agent can be {_treated(scenario)} so; "
            f"{meant[0].id}: {reasons[meant[0].id]}; pick another one with --agent, or "
            "leave the scenario out with --scenario"
        )


def _treated(scenario: Scenario) -> str:
    if not scenario.sampling:
        return "perturbed"
    return "sampled and perturbed" if scenario.perturb else "sampled"


def refuse_namesakes(packs: Sequence[Pack]) -> None:
    """Raises UsageFault where two packs would share a folder of evidence."""
    seen = [pack.name for pack in packs]
    for name in seen:
        if seen.count(name) > 1:
            raise UsageFault(f"two packs are called '{name}'; run them in two sweeps, or rename one")


def agents_of(pack: Pack, globs: Sequence[str]) -> list[Agent]:
    """The agents that ``--agent`` picks; else those added, the default one, or the only one. Raises UsageFault."""
    subjects = {id_: agent for id_, agent in pack.agents.items() if agent.role == "subject"}
    if globs:
        return [agent for id_, agent in subjects.items() if is_picked(globs, id_)]
    added = [subjects[id_] for each in pack.added for id_ in each.ids if id_ in subjects]
    if added:
        return added
    if pack.default_agent:
        return [pack.agents[pack.default_agent]]
    if len(subjects) == 1:
        return list(subjects.values())
    known = ", ".join(subjects) or "none"
    raise UsageFault(f"{pack.shown}: the pack has no default_agent; pick one with --agent (agents: {known})")


def scenarios_of(pack: Pack, options: RunOptions) -> Iterable[Scenario]:
    """The scenarios that ``--scenario`` and ``--tag`` pick."""
    for scenario in pack.scenarios.values():
        globs = options.scenarios
        named = not globs or is_picked(globs, scenario.id) or is_picked(globs, scenario.bare_id)
        tagged = not options.tags or any(tag in options.tags for tag in (*pack.tags, *scenario.tags))
        if named and tagged:
            yield scenario


def _with_runs(scenario: Scenario, options: RunOptions) -> Scenario:
    return scenario if options.runs is None else replace(scenario, runs=options.runs)


def refuse_empty_globs(packs: Sequence[Pack], options: RunOptions) -> None:
    """A name that matches nothing in any pack is a typo, and would silently shrink the sweep."""
    declared = [each for pack in packs for each in pack.scenarios.values()]
    scenarios = dict.fromkeys(name for each in declared for name in (each.id, each.bare_id))
    agents = {id_ for pack in packs for id_, agent in pack.agents.items() if agent.role == "subject"}
    helpers = {id_ for pack in packs for id_, agent in pack.agents.items() if agent.role == "helper"}
    tags = {tag for pack in packs for tag in (*pack.tags, *(t for s in pack.scenarios.values() for t in s.tags))}
    for glob in options.agents:
        if glob in helpers and not _matched(glob, agents):
            raise UsageFault(f"--agent {glob}: a helper is never benched itself; agents: {', '.join(sorted(agents))}")
    for flag, wanted, known in (("--scenario", options.scenarios, scenarios), ("--agent", options.agents, agents),
                                ("--tag", options.tags, tags)):
        for glob in wanted:
            if not _matched(glob, known):
                raise UsageFault(f"{flag} {glob}: matches nothing; {did_you_mean(glob, known, what='there are')}")


def _matched(glob: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, glob) for name in names)


def is_picked(globs: Sequence[str], name: str) -> bool:
    """Whether one of the globs means this name."""
    return any(fnmatchcase(name, glob) for glob in globs)


def _why_empty(excluded: Sequence[Excluded]) -> str:
    if not excluded:
        return "loosen --scenario, --tag or --agent"
    first = excluded[0]
    return f"{first.scenario} with {first.agent} is excluded: {first.reason}"


