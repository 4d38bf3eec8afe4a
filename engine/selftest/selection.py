"""Choose what a selftest plays: each reference of each scenario, as an agent of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...schemas.documents import Pack
from ...schemas.errors import UsageFault
from ...schemas.scenario_documents import Scenario
from ..loading.references import reads_sampling, reference_agents
from ..options import RunOptions
from ..sweep.select import Pair, Selection, refuse_empty_globs, refuse_namesakes, scenarios_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A scenario that is to be certified."""

    pack: Pack
    scenario: Scenario


def subjects_of(packs: Sequence[Pack], options: RunOptions) -> tuple[Subject, ...]:
    """Every scenario that is picked. Raises UsageFault where a glob or tag matches nothing, or nothing is left."""
    refuse_namesakes(packs)
    refuse_empty_globs(packs, options)
    found = tuple(
        Subject(pack=pack, scenario=each) for pack in packs for each in as_certified(scenarios_of(pack, options))
    )
    if not found:
        raise UsageFault("the selection matches nothing, so nothing would be certified; loosen --scenario or --tag")
    return found


def as_certified(scenarios: Iterable[Scenario]) -> Iterator[Scenario]:
    """The scenarios with all cells of a matrix as one: a script does the same in each, unless it reads ``sampling``."""
    told: set[str] = set()
    for scenario in scenarios:
        if not scenario.sampling or reads_sampling(scenario.references):
            yield scenario
        elif scenario.bare_id not in told:
            told.add(scenario.bare_id)
            yield replace(scenario, id=scenario.bare_id, matrix_of="", sampling={})


def selection_of(subjects: Sequence[Subject]) -> Selection:
    """A batch of one run for each reference; nothing is played of a scenario that is skipped."""
    return Selection(
        pairs=tuple(
            Pair(pack=subject.pack, scenario=_once(subject.scenario), agent=agent)
            for subject in subjects
            if subject.scenario.skip is None and subject.scenario.references is not None
            for agent in reference_agents(subject.scenario.references)
        ),
        excluded=(),
    )


def _once(scenario: Scenario) -> Scenario:
    """A script does the same every time; what a scenario forgives its agents, it does not forgive its references."""
    return replace(scenario, runs=1, min_pass_rate=None, known_failure=None)
