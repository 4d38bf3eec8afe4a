"""Tools and guards: their SQL prepares against the declared tables, their texts use only names they are given."""

from __future__ import annotations

from itertools import pairwise

from ...schemas.tool_documents import Tool, WorldSpec
from .built import Built
from .node import Node
from .sql import SqlLint


def lint_tools(built: Built, sql: SqlLint) -> None:
    """Add a fault for each tool that could not answer."""
    known = built.known_anywhere()
    worlds = _worlds(built)
    for name, node in built.nodes("tools"):
        tool = built.pack.tools[name]
        answers = [key for key in ("results", "python", "reported") if node.value.get(key)]
        short = [key for key in ("sql", "text", "error") if key in node.value]
        if not answers and not short and built.sound("tools", name):
            node.fault_at_key(f"tool '{name}' has no answer", "give it sql, text, results or python; or reported: true")
        inputs = _inputs(node, tool)
        names = known.having("args", inputs)
        listed = node.get("results")
        rules = list(listed.items()) if listed else [node]
        for rule in rules:
            if rule.whole:
                _statements(rule, inputs, worlds, sql)
                built.templates.expression(rule.get("when"), "tool", names)
                built.templates.value(rule.get("text"), "tool", names)
                built.templates.value(rule.get("error"), "tool", names)
        _unreachable(rules)


def lint_guards(built: Built) -> None:
    """Add a fault for each condition or reason that does not parse or uses a name a guard is not given."""
    known = built.known_anywhere()
    for _, node in built.nodes("guards"):
        built.templates.expression(node.get("refuse_when"), "guard", known)
        built.templates.value(node.get("reason"), "guard", known)


def _inputs(node: Node, tool: Tool) -> frozenset[str]:
    """The names of a tool's arguments, of those too whose schema is at fault."""
    declared = node.value.get("input")
    return frozenset(tool.input_schema["properties"]).union(declared if isinstance(declared, dict) else ())


def _worlds(built: Built) -> list[WorldSpec]:
    """The worlds that tools meet; the pack's own where there is no scenario."""
    found = {id(each.scenario.world): each.scenario.world for each in built.scenarios}
    return list(found.values()) or [built.pack.world]


def _statements(rule: Node, parameters: frozenset[str], worlds: list[WorldSpec], sql: SqlLint) -> None:
    member = rule.get("sql")
    if member is None:
        return
    for world in worlds:
        if sql.statements(member, world, parameters, read_only=False):
            return  # the same fault in every world is told once


def _unreachable(rules: list[Node]) -> None:
    for above, rule in pairwise(rules):
        if isinstance(above.value, dict) and "when" not in above.value:
            wrong = "this rule is never reached: the one above it always answers"
            rule.fault(wrong, "give that one a `when`, or put it last")
            return
