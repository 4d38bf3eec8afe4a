"""A tool host whose tools stand in the weather of a scenario, and what the witness says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kit.tool_bench import Bench
from kit.worlds import NAMES, pack, rule, takes, tool
from windtunnel.engine.clock import SeededClock
from windtunnel.engine.perturb.weather import Place, weather_of
from windtunnel.engine.witness import Witness
from windtunnel.schemas.problems import Mark
from windtunnel.schemas.scenario_documents import Perturbation
from windtunnel.schemas.secrets import Secrets

TEXT = {"type": "string"}
TOOLS = (
    tool("send", takes(to=TEXT), rule(when="'@' not in args.to", error="not an address"),
         rule(sql=("INSERT INTO outbox VALUES (:to, 'x')",), text="sent"), effect="external-send"),
    tool("rows", takes(), rule(sql=("SELECT 1 AS n UNION SELECT 2 UNION SELECT 3",))),
    tool("row", takes(), rule(sql=("SELECT 'Bluewing' AS name",))),
    tool("none", takes(), rule(sql=("SELECT 1 AS n WHERE 0",))),
    tool("silent", takes(), rule(text="")),
)


def windy(*told: dict[str, Any], run: int = 1, seed: int = 0, secrets: Secrets | None = None) -> Bench:
    """``windy({type, ...}, ...)``: a bench with these perturbations, in run ``run``."""
    bare = pack(*TOOLS)
    common = {"type", "requires", "tool", "fault", "on_call", "probability"}
    perturb = tuple(
        Perturbation(
            index=index, mark=Mark(bare.scenarios["first"].mark.source, index + 1, 1),
            args={key: value for key, value in one.items() if key not in common},
            **{key: value for key, value in one.items() if key in common},
        )
        for index, one in enumerate(told)
    )
    scenario = replace(bare.scenarios["first"], perturb=perturb)
    whole = replace(bare, scenarios={"first": scenario}, seed=seed)
    witness, clock, masks = Witness(), SeededClock("weather"), secrets or Secrets()
    weather = weather_of(Place(
        pack=whole, scenario=scenario, run_number=run, names=NAMES, witness=witness, clock=clock, secrets=masks,
    ))
    return Bench(pack=whole, witness=witness, clock=clock, secrets=masks, wrappers=tuple(weather.wrappers))


def told(asked: Bench, index: int = 0) -> tuple[bool, bool, list[int], str]:
    """(applied, met, calls, detail) of a perturbation."""
    mark = asked.witness.perturbations[index]
    return mark["applied"], mark["met"], mark["calls"], mark["detail"]
