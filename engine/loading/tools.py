"""Build tools: their short forms become one rule, their ``input`` becomes the JSON Schema of their arguments."""

from __future__ import annotations

import os
from typing import Any

from ...schemas.tool_documents import Guard, Rule, Tool
from .files import PREFIX, is_reference
from .node import Node, text_of, texts_of, value_of

_RULE_KEYS = ("sql", "text", "error", "expect_rows")
_OURS = ("optional", "default")


def tools_from(node: Node | None) -> dict[str, Tool]:
    """Every declared tool, also one of which some part is unsound (so that its name is known)."""
    return {} if node is None else {name: _tool(name, entry) for name, entry in node.entries()}


def guards_from(node: Node | None) -> dict[str, Guard]:
    """Every declared guard."""
    found = {}
    for name, entry in node.entries() if node else ():
        refuse_when, reason = entry.text("refuse_when") or "false", entry.text("reason") or ""
        found[name] = Guard(name=name, refuse_when=refuse_when, reason=reason, mark=entry.tree.marks.key(entry.path))
    return found


def _tool(name: str, node: Node) -> Tool:
    inputs = node.get("input")
    python = node.get("python")
    return Tool(
        name=name,
        description=node.text("description") or "",
        effect=node.plain("effect", "destructive"),
        input_schema=_input_schema(inputs),
        defaults=_defaults(inputs),
        rules=_rules(node),
        function=None if python is None else function_reference(python),
        reported=bool(node.plain("reported", False)),
        mark=node.tree.marks.key(node.path),
    )


def _input_schema(node: Node | None) -> dict[str, Any]:
    """All arguments are required unless ``optional`` or with a ``default``; extras are refused."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, entry in node.entries() if node else ():
        if not entry.whole:
            continue
        value = value_of(entry)
        properties[name] = {key: member for key, member in value.items() if key != "optional"}
        if not value.get("optional") and "default" not in value:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _defaults(node: Node | None) -> dict[str, Any]:
    entries = node.entries() if node else ()
    return {name: value_of(entry)["default"] for name, entry in entries if entry.whole and "default" in entry.value}


def _rules(node: Node) -> tuple[Rule, ...]:
    listed = node.get("results")
    if listed is not None:
        return tuple(_rule(item) for item in listed.items())
    return (_rule(node),) if any(key in node.value for key in _RULE_KEYS) else ()


def _rule(node: Node) -> Rule:
    sql = node.get("sql")
    return Rule(
        when=node.text("when"),
        sql=() if sql is None else statements_of(sql),
        expect_rows=node.plain("expect_rows", None),
        text=node.text("text"),
        error=node.text("error"),
        mark=node.mark,
    )


def statements_of(node: Node) -> tuple[str, ...]:
    """One statement, or a list of them; each may stand in a file."""
    if isinstance(node.value, list):
        return tuple(str(text) for text in texts_of(node))
    text = text_of(node)
    return () if text is None else (str(text),)


def function_reference(node: Node) -> str | None:
    """``module:attr`` as it stands, or ``file://x.py:attr`` as ``/absolute/x.py:attr``; a fault where it is neither."""
    value = str(node.value)
    target, colon, attribute = value.rpartition(":")
    in_file = is_reference(value)
    if not colon or not all(part.isidentifier() for part in attribute.split(".")) or not target.removeprefix(PREFIX):
        node.fault(f"'{value}' names no function", "write module:function, or file://path.py:function")
        return None
    if not in_file:
        if all(part.isidentifier() for part in target.split(".")):
            return value
        node.fault(f"'{target}' is no module name", "write module:function, or file://path.py:function")
        return None
    source = node.tree.files.beside(target, node.mark)
    if node.tree.files.text(source, node.place) is None:
        return None
    return f"{os.fspath(source.path)}:{attribute}"
