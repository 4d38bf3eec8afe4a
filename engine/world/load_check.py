"""Tell at load what is wrong with a statement, against the declared tables, their clock and the parameters at hand."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...schemas.nearest import did_you_mean
from ...schemas.tool_documents import WorldSpec
from .faults import SqlFault
from .frozen_clock import CURRENT, NO_CLOCK
from .sql_text import asks_for_now
from .statements import statements_for

_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
NO_TEMPLATE = "{found} stands in SQL, which is never a template; write :name, without quotes around it"


def sql_faults(
    sql: str, spec: WorldSpec, parameters: Collection[str], *, read_only: bool, has_clock: bool | None = None
) -> list[str]:
    """What is wrong with the statement, each fault as "what is wrong; what to do".

    ``parameters`` are the names it may use as ``:name``; ``has_clock`` is whether the world declares ``now``.
    """
    if template := _TEMPLATE.search(sql):
        return [NO_TEMPLATE.format(found=template.group()[:60])]
    try:
        statement = statements_for(spec.tables).look(sql)
    except SqlFault as fault:
        return [str(fault)]
    faults = []
    if statement.writes and read_only:
        faults.append(f"writes {', '.join(sorted(statement.writes))}, where it may only read; make it a SELECT")
    for name in statement.parameters:
        if name not in parameters:
            faults.append(f"asks for :{name}, which it is not given; {did_you_mean(name, parameters)}")
    declared = bool(spec.now) if has_clock is None else has_clock
    if not declared and (statement.functions & CURRENT.keys() or asks_for_now(sql)):
        faults.append(NO_CLOCK)
    return faults
