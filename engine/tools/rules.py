"""The first rule whose ``when`` holds answers: with an error, a text, or the rows that its statements give."""

from __future__ import annotations

from typing import Any

from ...schemas.errors import PatternFault, TemplateFault
from ...schemas.templates import holds, render_text
from ...schemas.tool_documents import Rule
from ..world import SqlFault, World
from ..world.faults import SqlOverdue
from .definitions import ReadyTool
from .results import Answer


def answer_by_rules(ready: ReadyTool, names: dict[str, Any], world: World) -> Answer:
    """``names`` are args, call, vars, case and now; ``world`` is added where a rule names it."""
    at = ""
    try:
        if ready.needs_world:
            names = {**names, "world": world.tables()}
        for number, rule in enumerate(ready.tool.rules, 1):
            at = f"rule {number}" if len(ready.tool.rules) > 1 else "its rule"
            if rule.when is None or holds(rule.when, names):
                return _apply(rule, ready, names, world)
    except SqlOverdue as fault:
        return Answer(error=str(fault), bench=True)
    except SqlFault as fault:
        return Answer(error=str(fault))
    except (TemplateFault, PatternFault) as fault:
        return Answer(error=f"the tool is broken: {at}: {fault}", bench=True)
    return Answer(error="the tool has no answer for these arguments")


def _apply(rule: Rule, ready: ReadyTool, names: dict[str, Any], world: World) -> Answer:
    if rule.error is not None:
        return Answer(error=render_text(rule.error, names))
    if not rule.sql:
        return Answer(value=render_text(rule.text or "", names))
    with world.transaction():
        params = ready.arguments.for_sql(names["args"])
        rows = world.write(rule.sql, params, rule.expect_rows)
        if rule.text is None:
            return Answer(value=rows or [])
        if ready.needs_world:
            names = {**names, "world": world.tables()}
        return Answer(value=render_text(rule.text, names))
