"""Load, select and check everything a sweep needs before any agent, process or socket is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...hooks.activation import activate
from ...hooks.events import CALL_EVENTS
from ...hooks.hook_set import HookSet
from ...hooks.state.snapshot import StateProbe
from ...schemas.documents import Agent, Pack
from ...schemas.errors import DocumentFault, UsageFault
from ...schemas.nearest import did_you_mean
from ...schemas.problems import KeyPath, Problems
from ...schemas.secrets import Secrets
from ..loading.resolve import how_to_set, resolve_agent, unset_variables
from ..options import RunOptions
from ..runtimes.base import ResolvedAgent
from ..runtimes.sampling import in_cell
from ..skeleton.compile import load_skeleton
from ..skeleton.load import skeleton_names, skeleton_path
from ..skeleton.steps import Skeleton
from .helpers_asked import helpers_of
from .select import Pair, Selection, select

MOST_RUNS = 100_000
"""As in a pack's ``runs``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A sweep that may begin: skeletons compiled, agents resolved, hooks active.

    ``state_probes``, by pack, are for skeletons that look at state themselves.
    """

    options: RunOptions
    packs: tuple[Pack, ...]
    selection: Selection
    skeletons: Mapping[str, Skeleton]
    resolved: Mapping[tuple[str, str], ResolvedAgent]
    hooks: HookSet
    secrets: Secrets
    env: Mapping[str, str]
    folder: Path
    state_probes: Mapping[str, StateProbe] = field(default_factory=dict)

    def subject(self, pair: Pair) -> ResolvedAgent:
        """The agent of a batch, in the cell of its scenario's matrix.

        What stands elsewhere than under ``agents`` is a script, rendered turn by turn.
        """
        settings = pair.agent.settings if pair.agent.place else {}
        known = None if pair.agent.place else self.resolved.get((pair.pack.name, pair.agent.id))
        found = known or ResolvedAgent(agent=pair.agent, settings=settings, env=self.env)
        cell = pair.scenario.sampling
        return replace(found, settings=in_cell(found.settings, cell)) if cell else found

    def helpers(self, pair: Pair) -> dict[str, ResolvedAgent]:
        """The helper agents that a batch asks: its judges and simulated users."""
        return {name: self.resolved[pair.pack.name, name] for name in helpers_of(pair.scenario)
                if (pair.pack.name, name) in self.resolved}


def prepare(
    packs: Sequence[Pack], options: RunOptions, *, env: Mapping[str, str], folder: Path,
    selection: Selection | None = None,
) -> Prepared:
    """Raises DocumentFault or UsageFault; touches no agent. ``selection``: what to run, where nobody has to choose."""
    _refuse_bad_options(options)
    selection = select(packs, options) if selection is None else selection
    problems = Problems()
    skeletons = {pack.name: _skeleton(pack, options, problems) for pack in packs}
    secrets = Secrets()
    resolved = _resolve(selection, env, secrets, problems)
    problems.raise_if_any()
    options = replace(options, label=secrets.mask(options.label))
    compiled = {name: skeleton for name, skeleton in skeletons.items() if skeleton is not None}
    points = {name: skeleton.points() for name, skeleton in compiled.items()}
    hooks = activate(options.hooks, packs, env, folder, points=points)
    _refuse_deaf_hooks(hooks, points)
    return Prepared(options=options, packs=tuple(packs), selection=selection, skeletons=compiled,
                    resolved=resolved, hooks=hooks, secrets=secrets, env=env, folder=folder)


def _skeleton(pack: Pack, options: RunOptions, problems: Problems) -> Skeleton | None:
    if options.skeleton and skeleton_path(options.skeleton, Problems()) is None:
        remedy = did_you_mean(options.skeleton, skeleton_names(), what="built in")
        raise UsageFault(f"--skeleton: there is no skeleton '{options.skeleton[:200]}'; {remedy}")
    return load_skeleton(options.skeleton or pack.skeleton, problems)


def _resolve(
    selection: Selection, env: Mapping[str, str], secrets: Secrets, problems: Problems
) -> dict[tuple[str, str], ResolvedAgent]:
    """Render the settings of every agent that is selected, and of the helpers that its scenarios ask.

    An unset variable is a fault at the agent's place.
    """
    resolved: dict[tuple[str, str], ResolvedAgent] = {}
    seen: set[tuple[str, str]] = set()
    for pair in selection.pairs:
        if pair.scenario.skip is not None:
            continue
        subjects = () if pair.agent.place else (pair.agent,)
        for agent in (*subjects, *(pair.pack.agents[name] for name in helpers_of(pair.scenario))):
            key = (pair.pack.name, agent.id)
            if key not in seen:
                seen.add(key)
                found = _resolved(agent, pair.pack, env, secrets, problems)
                if found is not None:
                    resolved[key] = found
    return resolved


def _resolved(
    agent: Agent, pack: Pack, env: Mapping[str, str], secrets: Secrets, problems: Problems
) -> ResolvedAgent | None:
    path: KeyPath = ("agents", agent.id)
    unset = unset_variables(agent, env)
    for name in unset:
        problems.add(agent.mark, path, f"the environment variable {name} is not set", how_to_set(agent, name))
    if unset:
        return None
    try:
        return resolve_agent(agent, pack, env, secrets)
    except DocumentFault as fault:
        problems.extend(fault.problems)
    return None


def _refuse_deaf_hooks(hooks: HookSet, points: Mapping[str, Sequence[str]]) -> None:
    """A hook that no skeleton of the sweep ever fires would do nothing, without a word."""
    heard = {name for pack, fired in points.items() for point in fired for name in hooks.listening(point, pack)}
    heard |= {name for fired in points.values() for point in fired for name in hooks.listening(point, None)}
    heard |= {name for event in CALL_EVENTS for name in hooks.listening(event, None)}
    for name in hooks.names:
        if name not in heard:
            fired = ", ".join(dict.fromkeys(point for each in points.values() for point in each)) or "none"
            raise UsageFault(
                f"hook '{name}' would never fire: the skeleton has none of its points; points that fire: {fired}"
            )


def _refuse_bad_options(options: RunOptions) -> None:
    if options.runs is not None and options.runs < 1:
        raise UsageFault(
            f"--runs {options.runs}: at least 1 run is needed; a scenario that shall not run carries `skip:`"
        )
    if options.runs is not None and options.runs > MOST_RUNS:
        raise UsageFault(
            f"--runs {options.runs}: at most {MOST_RUNS} runs of a scenario are made; run the sweep several times"
        )
    if options.jobs < 1:
        raise UsageFault(f"--jobs {options.jobs}: at least 1 run at once is needed")


def with_runs_dir(options: RunOptions, folder: Path) -> RunOptions:
    """The options with every place made absolute once, so that no later change of directory moves it."""
    def absolute(path: Path | None) -> Path | None:
        return None if path is None else folder / path

    return replace(
        options, runs_dir=folder / options.runs_dir, junit=absolute(options.junit), json=absolute(options.json)
    )
