"""``wt list``: what there is to name, one line each: the name, then what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import click

from ...hooks.all_hooks import SUMMARIES
from ...hooks.debrief.library import built_in_templates
from ...hooks.events import EVENTS
from ...hooks.guards import installed_guards, is_place
from ...hooks.points import POINTS as HOOK_POINTS
from ...hooks.sources import available
from ...schemas.catalog import kinds, schema
from ...schemas.counted import counted
from ...schemas.documents import Pack
from ...schemas.errors import UsageFault
from ...schemas.nearest import did_you_mean
from ..loading.find import PACK_FILE, built_in_packs, find_pack, installed_packs
from ..loading.load import load_packs
from ..report.inert import squeezed
from ..runtimes.all_runtimes import runtime_named, runtime_names
from ..scoring import ALL_CHECKS
from ..skeleton.load import skeleton_names
from ..stages.all_stages import STAGES

Rows = Iterable[tuple[str, str]]
EPILOG = """\b
Examples:
  wt list packs
  wt list packs --long           whole descriptions
  wt list scenarios my_pack.yaml
  wt list hooks                  built-in, installed, and those of the pack in this folder

\b
WHAT is one of: packs agents scenarios hooks guards runtimes checks
stages points events skeletons debriefs schemas
"""


def _packs(_: Sequence[Pack]) -> Rows:
    for pack in load_packs(built_in_packs().values()):
        yield pack.name, f"built in; {counted(len(pack.bare_ids), 'scenario')}; {pack.description}"
    for name, entry in installed_packs().items():
        yield name, f"installed: {entry.value}"


def _agents(packs: Sequence[Pack]) -> Rows:
    for pack in packs:
        for agent in pack.agents.values():
            marks = [
                agent.runtime,
                *(["helper"] if agent.role == "helper" else []),
                *([] if agent.gate else ["does not gate"]),
                *(["default"] if agent.id == pack.default_agent else []),
            ]
            yield agent.id, f"{pack.name}: {', '.join(marks)}; {agent.description}"


def _scenarios(packs: Sequence[Pack]) -> Rows:
    for pack in packs:
        for scenario in pack.scenarios.values():
            tags = f"[{', '.join(scenario.tags)}] " if scenario.tags else ""
            skipped = f"skipped: {scenario.skip}; " if scenario.skip is not None else ""
            yield scenario.id, f"{pack.name}: {counted(scenario.runs, 'run')}; {tags}{skipped}{scenario.description}"


def _hooks(packs: Sequence[Pack]) -> Rows:
    for name, source in available(packs).items():
        yield name, f"{source}; {SUMMARIES[name]}" if source == "built in" else source


def _guards(packs: Sequence[Pack]) -> Rows:
    for pack in packs:
        for guard in pack.guards.values():
            yield guard.name, f"{pack.name}: declared; refuses when {guard.refuse_when}"
        python = dict.fromkeys(name for agent in pack.agents.values() for name in agent.guards if is_place(name))
        for name in python:
            yield (
                name,
                f"{pack.name}: Python; guards {', '.join(a.id for a in pack.agents.values() if name in a.guards)}",
            )
    yield from installed_guards().items()


def _points(_: Sequence[Pack]) -> Rows:
    for point in HOOK_POINTS.values():
        yield point.name, f"{point.fires}; a hook sees {', '.join(point.members)}"


def _stages(_: Sequence[Pack]) -> Rows:
    for stage in STAGES.values():
        facts = [f"{verb} {' '.join(sorted(found))}" for verb, found in (
            ("needs", stage.contract.needs), ("gives", stage.contract.gives), ("ends", stage.contract.ends)) if found]
        yield (
            stage.name,
            "; ".join([stage.summary, *facts, *(f"{key}: {told}" for key, told in stage.parameters.items())]),
        )


def _events(_: Sequence[Pack]) -> Rows:
    for event in EVENTS.values():
        limit = "no deadline" if not event.bounded else f"{event.timeout_s or 30:g} s"
        yield (
            event.name,
            f"sends {', '.join(sorted(event.sample))}; {'fails closed' if event.policy else 'fails open'}; {limit}",
        )


def _checks(_: Sequence[Pack]) -> Rows:
    return ((name, check.summary) for name, check in ALL_CHECKS.items())


LISTS: Mapping[str, Callable[[Sequence[Pack]], Rows]] = {
    "packs": _packs,
    "agents": _agents,
    "scenarios": _scenarios,
    "hooks": _hooks,
    "guards": _guards,
    "runtimes": lambda _: (
        (name, (type(runtime_named(name)).__doc__ or "").partition("\n")[0]) for name in runtime_names()
    ),
    "checks": _checks,
    "stages": _stages,
    "points": _points,
    "events": _events,
    "skeletons": lambda _: ((name, f"built in; packs/skeletons/{name}.yaml") for name in skeleton_names()),
    "debriefs": lambda packs: [
        *((name, "built in") for name in built_in_templates()),
        *((name, f"declared in {pack.shown}") for pack in packs for name in pack.debriefs),
    ],
    "schemas": lambda _: ((kind, str(schema(kind).get("description", ""))) for kind in kinds()),
}
SHORT, LONGEST = 400, 4000
_SENTENCE = re.compile(r"(?<=\w\w\.)\s+(?=[A-Z])")
OF_A_PACK = ("agents", "scenarios", "guards")


@click.command(epilog=EPILOG)
@click.argument("what", required=False, default="")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@click.option("--long", "whole", is_flag=True, help="Whole descriptions, and not their first sentence.")
def command(what: str, packs: tuple[str, ...], *, whole: bool) -> None:
    """List what can be named, one a line: the name, then what it is.

    PACKs give their agents, scenarios, guards, hooks and debriefs (. if it is one).
    """
    if what not in LISTS:
        asked = f"there is no list of {what!r}" if what else "name what to list"
        raise UsageFault(f"{asked}; {did_you_mean(what, LISTS, what='lists')}")
    rows = [(name, _told(told, whole=whole)) for name, told in LISTS[what](_loaded(what, packs))]
    width = max((len(name) for name, _ in rows), default=0)
    for name, told in rows:
        click.echo(f"{name.ljust(width)}  {told}".rstrip())


def _told(told: str, *, whole: bool) -> str:
    """On one line; a sentence ends where a capital follows its stop."""
    line = squeezed(told.removesuffix("; "), LONGEST if whole else SHORT)
    return line if whole else _SENTENCE.split(line, 1)[0]


def _loaded(what: str, packs: Sequence[str]) -> Sequence[Pack]:
    try:
        here = packs or (".",) if packs or find_pack(".").is_file() else ()
    except UsageFault:
        here = ()
    if not here and what in OF_A_PACK:
        raise UsageFault(
            f"`wt list {what}` needs a pack: name one, or go to a folder with a {PACK_FILE}; "
            f"e.g. `wt list {what} first_flight`"
        )
    return load_packs(map(find_pack, here))
