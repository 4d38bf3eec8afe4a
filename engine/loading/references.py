"""Build a scenario's references: the scripts that ``wt selftest`` plays in the place of an agent."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.documents import Agent
from ...schemas.scenario_documents import References, Script
from ..runtimes.scripted_program import leaves
from .node import Node, value_of

GOLDEN = "golden"
POISON = "poison"


def references_from(node: Node | None) -> References | None:
    """What is declared and sound in shape, files read; None where nothing is."""
    if node is None:
        return None
    return References(
        golden=_script(node.get(GOLDEN)),
        poison={name: script for name, member in poisons(node) if (script := _script(member))},
        path=node.path,
        mark=node.tree.marks.key(node.path),
    )


def poisons(node: Node) -> Iterator[tuple[str, Node]]:
    """The poisons of a node of references, by name."""
    listed = node.get(POISON)
    return iter(()) if listed is None else listed.entries()


def reference_agents(references: References) -> tuple[Agent, ...]:
    """A scripted agent for each reference: ``golden``, then ``poison-<name>``; none gates an ordinary sweep."""
    scripts = {GOLDEN: ((*references.path, GOLDEN), references.golden)}
    for name, script in references.poison.items():
        scripts[f"{POISON}-{name}"] = ((*references.path, POISON, name), script)
    return tuple(
        Agent(id=name, runtime="scripted", gate=False, settings={"script": script}, place=place, mark=references.mark)
        for name, (place, script) in scripts.items()
        if script
    )


def reads_sampling(references: References | None) -> bool:
    """Whether a script names ``sampling``, so that it may do something else in each cell of a matrix."""
    agents = () if references is None else reference_agents(references)
    return any("sampling" in text for agent in agents for _, text in leaves(agent.settings, ()))


def _script(node: Node | None) -> Script:
    return () if node is None or not node.whole else tuple(value_of(node))
