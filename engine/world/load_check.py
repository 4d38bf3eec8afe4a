"""Tell at load what is wrong with a statement, against the declared tables, their clock and the parameters at hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from ...schemas.documents import Table, WorldSpec
from ...schemas.nearest import did_you_mean
from .faults import SqlFault
from .frozen_clock import CURRENT, NO_CLOCK
from .sql_text import asks_for_now
from .statements import Statements

SCHEMAS_KEPT = 32


def sql_faults(
    sql: str, spec: WorldSpec, parameters: Collection[str], *, read_only: bool, has_clock: bool | None = None
) -> list[str]:
    """What is wrong with the statement, each fault as "what is wrong; what to do".

    ``parameters`` are the names it may use as ``:name``; ``has_clock`` is whether the world declares ``now``.
    """
    try:
        statement = _statements(_shape(spec.tables)).look(sql)
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


_Shape = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def _shape(tables: Mapping[str, Table]) -> _Shape:
    return tuple((name, tuple(table.columns.items())) for name, table in tables.items())


@lru_cache(maxsize=SCHEMAS_KEPT)
def _statements(shape: _Shape) -> Statements:
    """Many scenarios share their tables' columns: compile against one copy."""
    return Statements(tuple(Bare(name, dict(columns)) for name, columns in shape))
