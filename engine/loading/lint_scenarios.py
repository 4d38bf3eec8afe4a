"""Scenarios: each has a check, agents to run it, turns that parse, and a name of its own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fnmatch import fnmatchcase

from ...schemas.nearest import did_you_mean, nearest
from .built import Built
from .lint_checks import CheckLint
from .lint_helper import lint_helper
from .lint_perturbations import lint_perturbations
from .lint_references import lint_references
from .lint_runtime import Told
from .node import Node, is_free
from .scenarios import BuiltScenario
from .sql import SqlLint
from .templates import Known


def lint_scenarios(built: Built, sql: SqlLint) -> None:
    """Add a fault for each scenario that could not be run or would prove nothing."""
    checks = CheckLint(built, sql)
    told: Told = set()  # references of the defaults are told once
    for scenario in built.scenarios:
        known = built.known(scenario)
        _has_turns(built, scenario)
        _has_checks(scenario)
        _has_agents(built, scenario)
        _turns(built, scenario.first("turns"), known)
        _cells(built, scenario.first("world"), known)
        _known_until(scenario.first("known_failure"))
        if scenario.scenario.world is built.pack.world:
            _cells(built, built.root.get("world"), known)
        checks.scenario(scenario)
        lint_references(built, scenario, told)
        lint_perturbations(built, scenario, known)
    checks.unused()
    _unique_names(built)


def _has_turns(built: Built, scenario: BuiltScenario) -> None:
    if "turns" in scenario.node.value or scenario.first("turns") or not built.sound("defaults"):
        return
    if _misspelt(scenario, "turns"):
        return
    scenario.node.fault_at_key("the scenario has no turns", "add turns: [what the user says]")


def _has_checks(scenario: BuiltScenario) -> None:
    if any(scenario.checks.values()) or any(node.value.get("expect") for node in scenario.layered):
        return  # what is wrong with checks that are there is told of themselves
    if _misspelt(scenario, "expect"):
        return
    scenario.node.fault_at_key("the scenario has no check, so it could never fail", "add expect: {outcome: [...]}")


def _misspelt(scenario: BuiltScenario, key: str) -> bool:
    """Whether an unknown key was probably meant to be this one: to tell of that says enough."""
    unknown = (each for node in scenario.layered for each in node.value if not is_free(each) and each != key)
    return any(nearest(each, (key,)) for each in unknown)


def _has_agents(built: Built, scenario: BuiltScenario) -> None:
    listed = scenario.first("agents")
    for pattern in listed.items() if listed else ():
        if not any(fnmatchcase(agent, pattern.value) for agent in built.ids("agents")):
            remedy = did_you_mean(pattern.value, built.ids("agents"), what="agents")
            pattern.fault(f"no agent matches '{pattern.value}'", remedy)


def _turns(built: Built, node: Node | None, known: Known) -> None:
    for turn in node.items() if node else ():
        if (simulated := turn.get("simulated")) is not None:
            lint_helper(built, simulated, "agent", "simulated user")
            built.templates.value(simulated.get("goal"), "turn", known)
            built.templates.value(simulated.get("persona"), "turn", known)
            built.templates.expression(simulated.get("until"), "until", known)
            continue
        if not isinstance(turn.value, dict) or "user" not in turn.value:
            built.templates.value(turn, "turn", known)
            continue
        built.templates.value(turn.get("user"), "turn", known)
        built.templates.expression(turn.get("when"), "turn_when", known)


def _cells(built: Built, world: Node | None, known: Known) -> None:
    tables = world.get("tables") if world else None
    for _, table in tables.entries() if tables else ():
        rows = table.get("append") or table.get("rows") or table
        for row in rows.items():
            built.templates.value(row, "cell", known)


def _known_until(node: Node | None) -> None:
    until = node.get("until") if node else None
    if until is None:
        return
    try:
        date.fromisoformat(until.value)
    except (TypeError, ValueError):
        until.fault(f"'{until.value}' is no date", "write it as 2026-12-31")


def _unique_names(built: Built) -> None:
    """File systems fold case: two names that differ only so would share a folder.

    A scenario with a matrix has a name beside those of its cells: what picks them all, and what a selftest certifies.
    """
    scenarios = (
        (name, (one.node.path, each.bare_id, name), one.node)
        for one in built.scenarios for each in one.scenarios for name in (each.id, each.bare_id)
    )
    agents = ((name, node.path, node) for name, node in built.nodes("agents"))
    _unique("scenario", scenarios)
    _unique("agent", agents)


def _unique(what: str, named: Iterable[tuple[str, object, Node]]) -> None:
    """Each name belongs to one owner; a fault at the node of whoever comes second."""
    taken: dict[str, tuple[str, object, Node]] = {}
    for name, owner, node in named:
        other, first, there = taken.setdefault(name.casefold(), (name, owner, node))
        if first != owner:
            wrong = f"{what} '{name}' and {what} '{other}' would share a folder"
            node.fault_at_key(wrong, f"rename this one or the one at {there.mark}")
