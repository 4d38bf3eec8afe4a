"""Prepare each distinct statement once against each distinct set of tables."""

from __future__ import annotations

from typing import Any

from ...schemas.tool_documents import WorldSpec
from ..world.load_check import sql_faults
from .node import Node
from .tools import statements_of


class SqlLint:
    """Remembers what was found for (statement, tables, parameters)."""

    def __init__(self, flawed: frozenset[str]) -> None:
        """``flawed`` are tables whose columns are not known; nothing is said of a statement that names one."""
        self._flawed = flawed
        self._found: dict[Any, list[str]] = {}
        self._tables: dict[int, Any] = {}

    def statements(self, node: Node, world: WorldSpec, parameters: frozenset[str], *, read_only: bool) -> bool:
        """Add a fault for each statement of a node that does not prepare; whether there was one."""
        nodes = list(node.items()) if isinstance(node.value, list) else [node]
        bad = False
        for each in nodes:
            for text in statements_of(each):
                for fault in self._faults(text, world, parameters, read_only):
                    message, _, remedy = fault.partition("; ")
                    each.fault(message, remedy)
                    bad = True
        return bad

    def _faults(self, text: str, world: WorldSpec, parameters: frozenset[str], read_only: bool) -> list[str]:
        if any(name in text.casefold() for name in self._flawed):
            return []
        key = (text, self._signature(world), parameters, read_only)
        if key not in self._found:
            tables = {name: table for name, table in world.tables.items() if name.casefold() not in self._flawed}
            known = WorldSpec(now=world.now, tables=tables)
            self._found[key] = sql_faults(text, known, parameters, read_only=read_only, has_clock=bool(world.now))
        return self._found[key]

    def _signature(self, world: WorldSpec) -> Any:
        """What a statement can see of a world: its tables, their columns, and whether there is a clock."""
        if id(world) not in self._tables:
            tables = tuple((name, *table.columns.items()) for name, table in sorted(world.tables.items()))
            self._tables[id(world)] = (tables, bool(world.now))
        return self._tables[id(world)]
