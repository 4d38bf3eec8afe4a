"""Checks: what they name is declared, their SQL prepares, their patterns compile, their templates know their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ...schemas.errors import PatternFault
from ...schemas.nearest import did_you_mean
from ...schemas.patterns import compile_pattern, search
from ...schemas.templates import is_template
from ...schemas.tool_documents import WorldSpec
from .built import Built
from .checks import COMMON, BuiltCheck
from .lint_helper import lint_helper
from .node import Node, text_of
from .scenarios import BuiltScenario
from .sql import SqlLint
from .templates import Known

# keys whose value is an expression, a name, a number or SQL: no template
_NO_TEMPLATE = COMMON | {"sql", "that", "status", "mode", "per", "checks", "steps", "first", "then", "judge"}
_NEVER_TEMPLATE = frozenset({"python", "use", "tool-used", "effect-ceiling", "is-json"})


class CheckLint:
    """Looks at each check of a pack once; at its SQL and templates, once for each world and set of names it meets."""

    def __init__(self, built: Built, sql: SqlLint) -> None:
        self._built = built
        self._sql = sql
        self._done: set[tuple[object, ...]] = set()
        self._tools = list(built.ids("tools"))

    def scenario(self, scenario: BuiltScenario) -> None:
        """Every check of a scenario, its defaults and shared ones included."""
        known = self._built.known(scenario)
        for found in scenario.checks.values():
            for built in found:
                self.check(built, scenario.scenario.world, known)

    def unused(self) -> None:
        """Shared checks that no scenario uses: a part may be meant for another pack."""
        checks, known = self._built.checks, self._built.known_anywhere()
        for node in checks.shared().values():
            for built in checks.checks(node):
                if (built.node.path,) not in self._done:
                    self.check(built, self._built.pack.world, known)

    def check(self, built: BuiltCheck, world: WorldSpec, known: Known) -> None:
        node = built.node
        key = (node.path, len(built.whens), id(known))
        if key in self._done:
            return
        self._done.add(key)
        lint = self._built.templates
        for when in built.whens:
            lint.expression(when, "check", known)
        lint.expression(node.get("when"), "check", known)
        lint.expression(node.get("of"), "check", known)
        self._templates(built, known)
        if built.check.type == "world":
            self._world(node, world)
        look = _LOOKS.get(built.check.type)
        if look is not None and (node.path,) not in self._done:
            look(self, node)
        self._done.add((node.path,))
        for inner in self._built.checks.alternatives(node) if built.check.type == "any-of" else ():
            self.check(inner, world, known)

    def _templates(self, built: BuiltCheck, known: Known) -> None:
        kind, node = built.check.type, built.node
        if kind == "expr":
            self._built.templates.expression(node.get("that"), "check", known)
        if kind in _NEVER_TEMPLATE:
            return
        for key, member in node.settings():
            if key not in _NO_TEMPLATE:
                self._built.templates.value(member, "check_value", known)

    def _world(self, node: Node, world: WorldSpec) -> None:
        sql, params = node.get("sql"), node.plain("params", {})
        if sql is not None:
            self._sql.statements(sql, world, frozenset(params), read_only=True)

    def tool(self, node: Node | None) -> str | None:
        """The declared tool that a node names; None, with a fault, where it names none."""
        if node is None or not isinstance(node.value, str):
            return None
        if node.value in self._tools:
            return node.value
        node.fault(f"there is no tool '{node.value}'", did_you_mean(node.value, self._tools, what="tools"))
        return None

    def pattern(self, node: Node | None, among: Collection[str] | None = None, what: str = "") -> None:
        """A pattern that is no template compiles; where it picks from names, it matches one of them."""
        text = None if node is None else text_of(node)
        if node is None or text is None or is_template(text):
            return
        try:
            compile_pattern(str(text))
            if among is not None and not any(search(str(text), name) for name in among):
                node.fault(f"no {what} matches '{text}'", did_you_mean(str(text), among, what=f"{what}s"))
        except PatternFault as fault:
            message, _, remedy = str(fault).rpartition("; ")
            node.fault(message or remedy, remedy if message else "")

    def _tool_used(self, node: Node) -> None:
        for choice in self._choices(node.get("value")):
            if not isinstance(choice.value, dict):
                self.tool(choice)
                continue
            self.tool(choice.get("name"))
            self.pattern(choice.get("pattern"), self._tools, "tool")
            _in_order(choice)

    def _choices(self, node: Node | None) -> Iterator[Node]:
        if node is not None:
            yield from node.items() if isinstance(node.value, list) else (node,)

    def _tool_sequence(self, node: Node) -> None:
        for step in self._choices(node.get("steps")):
            self.tool(step)

    def _tool_args(self, node: Node) -> None:
        value = node.get("value")
        name = self.tool(value.get("name")) if value else None
        args = value.get("args") if value else None
        if name is None or args is None or name not in self._built.pack.tools:
            return
        declared = self._built.pack.tools[name].input_schema["properties"]
        for key, member in args.entries():
            if key not in declared and self._built.sound("tools", name):
                member.fault_at_key(
                    f"tool '{name}' has no argument '{key}'", did_you_mean(key, declared, what="its arguments")
                )

    def _tool_before(self, node: Node) -> None:
        self.tool(node.get("first"))
        self.tool(node.get("then"))

    def _step_count(self, node: Node) -> None:
        _in_order(node)

    def _regex(self, node: Node) -> None:
        self.pattern(node.get("value"))

    def _llm_rubric(self, node: Node) -> None:
        lint_helper(self._built, node, "judge", "judge")

    def _any_of(self, node: Node) -> None:
        least, checks = node.get("min"), node.get("checks")
        if least and checks and least.value > len(checks.value):
            least.fault(f"{least.value} of {len(checks.value)} checks can never hold", "lower min, or add checks")


_LOOKS: dict[str, Callable[[CheckLint, Node], None]] = {
    "tool-used": CheckLint._tool_used,
    "tool-sequence": CheckLint._tool_sequence,
    "tool-args-match": CheckLint._tool_args,
    "tool-before": CheckLint._tool_before,
    "step-count": CheckLint._step_count,
    "regex": CheckLint._regex,
    "llm-rubric": CheckLint._llm_rubric,
    "any-of": CheckLint._any_of,
}


def _in_order(node: Node) -> None:
    least, most = node.get("min"), node.get("max")
    if least and most and least.value > most.value:
        least.fault(f"min {least.value} is more than max {most.value}", "swap them, or mend one")
