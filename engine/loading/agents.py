"""Build agents: what ``extends`` inherits is merged in, deeply, with each inherited part keeping its own place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.documents import Agent
from ...schemas.marks import Document
from ...schemas.nearest import did_you_mean
from ...schemas.problems import KeyPath, Mark, Problems
from ...schemas.shape import check_shape
from .guards import guard_names
from .include import Joined
from .node import Node, is_free, value_of

_COMMON = frozenset({"runtime", "extends", "description", "role", "gate", "guards"})


def inherit(whole: Joined, document: Document, root: Node) -> None:
    """Replace each agent that extends another by the merged one, and check its shape as a whole."""
    agents = whole.data.get("agents")
    if not isinstance(agents, dict) or ("agents",) in whole.unsound:
        return
    merging = _Inheritance(whole, root, dict(agents))
    for name in agents:
        merging.merged(name, ())
    extended = {name: merging.done[name] for name in agents if merging.done.get(name, agents[name]) is not agents[name]}
    whole.data["agents"] = {**agents, **extended}
    flawed = {path[1] for path in whole.unsound if path[:1] == ("agents",) and len(path) > 1}
    sound = {name: agent for name, agent in extended.items() if name not in flawed | merging.lost}
    if sound:
        _check_merged(whole, document, {name: sound[name] for name in merging.done if name in sound}, root)


def _check_merged(whole: Joined, document: Document, checked: dict[str, Any], root: Node) -> None:
    """Parents come first, so that what is inherited is told where it is written, once."""
    data = {"kind": "pack_part", "schema_version": 1, "agents": checked}
    merged = Document(document.source, data, whole.marks)
    found = Problems()
    check_shape(merged, "pack_part", found, partial=True)
    whole.unsound |= merged.unsound
    told: set[tuple[Mark, str]] = set()
    for problem in found.all():
        if (problem.mark, problem.message) not in told:
            told.add((problem.mark, problem.message))
            root.tree.problems.extend([problem])


class _Inheritance:
    """Merges agents, parents first."""

    def __init__(self, whole: Joined, root: Node, agents: dict[str, Any]) -> None:
        self._whole = whole
        self._root = root
        self._agents = agents
        self.done: dict[str, Any] = {}
        self.lost: set[str] = set()  # those that inherit from nobody, because what they name is not there

    def merged(self, name: str, below: tuple[str, ...]) -> Any:
        """The agent with all that it inherits; as it stands, with a fault, where it cannot inherit."""
        if name in self.done:
            return self.done[name]
        own = self._agents[name]
        parent = own.get("extends") if isinstance(own, dict) else None
        if isinstance(parent, str):
            own = self._extended(name, own, parent, (*below, name))
        self.done[name] = own
        return own

    def _extended(self, name: str, own: dict[str, Any], parent: str, below: tuple[str, ...]) -> Any:
        path: KeyPath = ("agents", name, "extends")
        if parent in below:
            circle = " -> ".join((*below[below.index(parent) :], parent))
            self._fault(path, f"agents extend each other in a circle: {circle}", "let one of them stand on its own")
            self.lost.add(name)
            return own
        if parent not in self._agents:
            others = [each for each in self._agents if each != name]
            self._fault(path, f"there is no agent '{parent}' to extend", did_you_mean(parent, others, what="agents"))
            self.lost.add(name)
            return own
        inherited = self.merged(parent, below)
        if parent in self.lost:
            self.lost.add(name)
        if not isinstance(inherited, dict):
            return own
        child = {key: value for key, value in own.items() if key != "extends"}
        return self._merge(child, inherited, ("agents", name), ("agents", parent))

    def _merge(self, child: dict[str, Any], parent: Mapping[str, Any], at: KeyPath, under: KeyPath) -> dict[str, Any]:
        merged = dict(child)
        for key, value in parent.items():
            if len(at) == 2 and (is_free(key) or key == "extends"):
                continue  # of the agent itself; further down, keys are the runtime's: a header may be named x-...
            here, there = (*at, key), (*under, key)
            if key not in merged:
                merged[key] = value
                self._whole.marks.graft(here, self._whole.marks, there)
                flawed = [path for path in self._whole.unsound if path[: len(there)] == there]
                self._whole.unsound |= {here + path[len(there) :] for path in flawed}
            elif isinstance(merged[key], dict) and isinstance(value, dict):
                merged[key] = self._merge(merged[key], value, here, there)
        return merged

    def _fault(self, path: KeyPath, message: str, remedy: str) -> None:
        self._root.tree.problems.add(self._whole.marks.value(path), path, message, remedy)


def agents_from(node: Node | None) -> dict[str, Agent]:
    """Every declared agent with its runtime's own keys as ``settings``, their files read."""
    read: set[Mark] = set()
    return {} if node is None else {name: _agent(name, entry, read) for name, entry in node.entries()}


def only_helper(root: Node) -> str:
    """The id of the pack's helper, or "" where it has none or several."""
    agents = root.get("agents")
    found = [name for name, node in agents.entries() if node.plain("role", "") == "helper"] if agents else []
    return found[0] if len(found) == 1 else ""


def _agent(name: str, node: Node, read: set[Mark]) -> Agent:
    return Agent(
        id=name,
        runtime=node.plain("runtime", ""),
        description=node.text("description") or "",
        role=node.plain("role", "subject"),
        gate=node.plain("gate", True),
        guards=guard_names(node.get("guards"), read),
        settings={key: value_of(member) for key, member in node.settings() if key not in _COMMON},
        mark=node.tree.marks.key(node.path),
    )
