"""The frozen evidence of one run as its checks see it: names for expressions, and the world opened only when asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...schemas.errors import AbsentFault
from ...schemas.facts import conversation_facts
from ...schemas.records import Trace
from ...schemas.scenario_documents import Check, Scenario
from ...schemas.templates import evaluate, holds, render_value
from ..world import PreparedWorld, SqlFault, World
from .base import Absent, Args, CheckType, GraderFault, Judge
from .shown import clip

_WORLD_NAME = re.compile(r"\bworld\b(?:\s*\.\s*(\w+)|\s*\[\s*['\"](\w+)['\"]\s*\])?")


class Evidence:
    """Everything a check may look at. It is made once a run and closed when its last check is done."""

    def __init__(
        self, trace: Trace, scenario: Scenario, kinds: Mapping[str, CheckType], *,
        prepared: PreparedWorld | None = None, folder: Path = Path(), now: str = "", judge: Judge | None = None,
    ) -> None:
        self.trace = trace
        self.kinds = kinds
        self.folder = folder
        self.judge = judge
        self.calls = trace.calls
        self.names = names_of(trace, scenario, now)
        self.cut = frozenset(name for name, table in trace.world.items() if table.cut is True)
        self._prepared = prepared
        self._world: World | None = None

    def args(self, check: Check, raw: frozenset[str]) -> Args:
        """The check's own keys with their templates rendered."""
        args: dict[str, Any] = {}
        for key, value in check.args.items():
            args[key] = value if key in raw else self.render(value)
        return args

    def render(self, value: Any) -> Any:
        """Raises Absent where the template asks for a fact that this run does not have."""
        if self.cut:
            for text in _texts(value):
                self._refuse_cut(text)
        try:
            return render_value(value, self.names)
        except AbsentFault as fault:
            raise Absent(str(fault)) from None

    def holds(self, expression: str) -> bool:
        """Raises AbsentFault where it asks for a fact that this run does not have."""
        self._refuse_cut(expression)
        return holds(expression, self.names)

    def look(self, check: Check) -> Any:
        """What ``of`` finds, by default the last reply; undefined or empty text is Absent."""
        if check.of is None:
            value = self.names.get("reply")
            if value is None:
                raise Absent("there is no reply")
        else:
            value = self._find(check.of)
        if isinstance(value, str) and not value.strip():
            raise Absent(f"{self.place(check)} is empty")
        return value

    def place(self, check: Check) -> str:
        """``of`` as a result line names it."""
        return "the reply" if check.of is None else clip(check.of, 60)

    def query(self, sql: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Ask the final world, rebuilt from the trace. Raises GraderFault where it cannot tell."""
        if self._prepared is None:
            raise GraderFault("there is no world to ask")
        try:
            if self._world is None:
                self._world = self._prepared.open_with(self.trace.world)
            return self._world.query(sql, params)
        except SqlFault as fault:
            raise GraderFault(str(fault)) from None

    def close(self) -> None:
        if self._world is not None:
            self._world.close()
            self._world = None

    def _find(self, expression: str) -> Any:
        self._refuse_cut(expression)
        try:
            return evaluate(expression, self.names)
        except AbsentFault as fault:
            raise Absent(str(fault)) from None

    def _refuse_cut(self, expression: str) -> None:
        """An expression over a table whose rows were cut cannot be trusted, nor one that may read any table."""
        if not self.cut:
            return
        for found in _WORLD_NAME.finditer(expression):
            table = found[1] or found[2]
            if table is None or table in self.cut:
                raise GraderFault(self._cut_text(table or min(self.cut)))

    def _cut_text(self, table: str) -> str:
        state = self.trace.world[table]
        total = f" of {state.total}" if isinstance(state.total, int) else ""
        return f"table {table} is cut: the trace holds {len(state.rows)}{total} of its rows"


def names_of(trace: Trace, scenario: Scenario, now: str = "") -> dict[str, Any]:
    """The names of DESIGN 3.2 that checks see; a fact that is absent is an absent key."""
    names = conversation_facts(trace.turns, trace.calls)
    names["world"] = {name: table.rows for name, table in trace.world.items()}
    names["vars"] = scenario.vars
    names["case"] = scenario.case
    names["scenario"] = {"id": scenario.id, "tags": list(scenario.tags)}
    names["agent"] = {"id": trace.agent, "model": trace.model}
    if now or scenario.world.now:
        names["now"] = now or scenario.world.now
    return names


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if "{" in value else []
    if isinstance(value, Mapping):
        return [text for member in value.values() for text in _texts(member)]
    if isinstance(value, list | tuple):
        return [text for member in value for text in _texts(member)]
    return []
