"""A pack as it was built, with the nodes it came from: what the semantic checks look at."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...schemas.documents import Pack
from ...schemas.problems import Problems
from ...schemas.tool_documents import WorldSpec
from .checks import CheckBuilder
from .node import Node
from .scenarios import BuiltScenario
from .templates import NO_CLOCK, Known, Members, TemplateLint


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """``root`` is the joined document; ``pack`` holds every part that is sound in shape."""

    pack: Pack
    root: Node
    scenarios: tuple[BuiltScenario, ...]
    checks: CheckBuilder
    templates: TemplateLint
    _known: dict[Any, Known] = field(default_factory=dict)

    @property
    def problems(self) -> Problems:
        return self.root.tree.problems

    def ids(self, key: str) -> Collection[str]:
        """Every id declared under a key, of parts that are not sound as well: their name is known."""
        value = self.root.value.get(key)
        return list(value) if isinstance(value, dict) else ()

    def nodes(self, key: str) -> Iterator[tuple[str, Node]]:
        """The sound entries under a key."""
        node = self.root.get(key)
        return iter(()) if node is None else node.entries()

    def sound(self, *path: str | int) -> bool:
        """Whether nothing at or below a path is at fault in shape."""
        return Node(self.root.tree, None, path).whole

    def flawed_tables(self) -> frozenset[str]:
        """The names (folded) of tables whose columns are not known, because their shape or their file is at fault."""
        layers = [node for key in ("world", "defaults") if (node := self.root.get(key))]
        layers += [scenario.node for scenario in self.scenarios]
        tables = [each for node in layers if (each := node.down("world", "tables") or node.get("tables"))]
        unsound = [name for each in tables for name in each.value if not self.sound(*each.path, name)]
        worlds = [self.pack.world, *(scenario.scenario.world for scenario in self.scenarios)]
        empty = [table.name for world in worlds for table in world.tables.values() if not table.columns]
        return frozenset(name.casefold() for name in (*unsound, *empty))

    def known(self, scenario: BuiltScenario) -> Known:
        """The members of ``vars``, ``case`` and ``world`` that this scenario's templates may use."""
        base = scenario.scenario
        return self._names(frozenset(base.vars), scenario.case_names, base.world)

    def known_anywhere(self) -> Known:
        """The same for what all scenarios share: what any of them provides."""
        if "anywhere" not in self._known:
            all_of = [each.scenario for each in self.scenarios]
            members: Members = {
                "vars": frozenset(self.pack.vars).union(*(each.vars for each in all_of)),
                "case": frozenset[str]().union(*(each.case_names for each in self.scenarios)),
                "world": frozenset(self.pack.world.tables).union(*(each.world.tables for each in all_of)),
            }
            clock = any(world.now for world in (self.pack.world, *(each.world for each in all_of)))
            self._known["anywhere"] = Known(members, _without_clock(clock))
        return self._known["anywhere"]

    def _names(self, variables: frozenset[str], cases: frozenset[str], world: WorldSpec) -> Known:
        key = (variables, cases, id(world))
        if key not in self._known:
            members: Members = {"vars": variables, "case": cases, "world": frozenset(world.tables)}
            self._known[key] = Known(members, _without_clock(bool(world.now)))
        return self._known[key]


def _without_clock(clock: bool) -> dict[str, tuple[str, str]]:
    return {} if clock else {"now": NO_CLOCK}
