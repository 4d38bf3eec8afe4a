"""Make the weather of one run: a wrapper for each tool fault, and the history that its session begins with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.documents import Pack
from ...schemas.errors import TemplateFault
from ...schemas.scenario_documents import Perturbation, Scenario
from ...schemas.secrets import Secrets
from ...schemas.templates import render_value
from ..clock import RunClock
from ..tools.results import Answer
from ..tools.wrappers import Next, WrappedCall, Wrapper
from ..witness import Witness
from .all_faults import ALL_FAULTS
from .draws import Draws
from .history import History
from .marks import FaultMark
from .pasts import ALL_PASTS
from .strike import Strike


class WeatherFault(Exception):
    """A perturbation's text could not be rendered; the message says which, and why."""


@dataclass(slots=True, kw_only=True)
class Weather:
    """What a run is perturbed by; without perturbations it is empty, and costs nothing."""

    wrappers: list[Wrapper] = field(default_factory=list)
    history: History = field(default_factory=History)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The run that the weather is made for. ``names`` are those of the scenario's texts."""

    pack: Pack
    scenario: Scenario
    run_number: int
    names: Mapping[str, Any]
    witness: Witness
    clock: RunClock
    secrets: Secrets


def weather_of(place: Place) -> Weather:
    """The weather, with a mark for each perturbation in the witness. Raises WeatherFault."""
    weather = Weather()
    for one in place.scenario.perturb:
        args = _rendered(one, place)
        if one.family == "tool-fault":
            weather.wrappers.append(_wrapper(one, args, place))
        else:
            weather.history.add(one, tuple(ALL_PASTS[one.type](one.tool, args)), place.witness)
    return weather


def _rendered(one: Perturbation, place: Place) -> Mapping[str, Any]:
    """The keys of a perturbation, plain, bounded, and without secrets."""
    try:
        rendered = render_value(one.args, place.names)
    except TemplateFault as fault:
        raise WeatherFault(f"{one.mark}: {fault}") from None
    plain: Mapping[str, Any] = place.secrets.mask_value(clean_value(rendered))
    return plain


def _wrapper(one: Perturbation, args: Mapping[str, Any], place: Place) -> Wrapper:
    draws = Draws(seed=place.pack.seed, scenario=place.scenario.bare_id, run=place.run_number)
    mark = FaultMark(one, place.witness)
    fault = ALL_FAULTS[one.fault]

    async def wrap(call: WrappedCall, next_: Next) -> Answer:
        if call.tool != one.tool:
            return await next_()
        mark.came()
        if not draws.strikes(one, call.number):
            return await next_()
        return await fault(
            Strike(call=call, next=next_, args=args, clock=place.clock, secrets=place.secrets, mark=mark)
        )

    return Wrapper(name=f"perturb[{one.index}]", type=one.type, wrap=wrap)
