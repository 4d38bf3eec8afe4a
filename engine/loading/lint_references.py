"""References: each script can be played, and no two poisons differ in nothing but upper and lower case."""

from __future__ import annotations

import dataclasses

from .built import Built
from .lint_runtime import Told, ask_runtime
from .node import Node
from .references import POISON, poisons, reference_agents
from .scenarios import BuiltScenario


def lint_references(built: Built, scenario: BuiltScenario, told: Told) -> None:
    """Add a fault for each script that a scripted agent could not play in this scenario."""
    node, references = scenario.first("references"), scenario.scenario.references
    if node is None or references is None:
        return
    _unique_poisons(node, told)
    scenarios = {each.id: each for each in scenario.scenarios or (scenario.scenario,)}
    pack = dataclasses.replace(built.pack, scenarios=scenarios)
    for agent in reference_agents(references):
        ask_runtime(built, agent, pack, told)


def _unique_poisons(references: Node, told: Told) -> None:
    """File systems fold case, and the evidence of each poison has a folder of its own."""
    taken: dict[str, tuple[str, Node]] = {}
    for name, node in poisons(references):
        other, there = taken.setdefault(name.casefold(), (name, node))
        if there is not node and (node.mark, POISON) not in told:
            told.add((node.mark, POISON))
            wrong = f"{POISON} '{name}' and {POISON} '{other}' would share a folder"
            node.fault_at_key(wrong, f"rename this one or the one at {there.tree.marks.key(there.path)}")
