"""One scenario for each row of ``cases``: ``<scenario>-<id column>``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.problems import KeyPath, Mark
from .files import is_reference
from .node import Node, cells_of, rows_of

_SLUG = re.compile(r"[A-Za-z0-9_-]+\Z")
LONGEST_ID = 96


@dataclass(frozen=True, slots=True)
class Case:
    """One row, the id it gives to its scenario, and its place."""

    scenario_id: str
    values: Mapping[str, Any]
    mark: Mark


def cases_from(scenario: str, node: Node) -> list[Case]:
    """Every row with an id of its own; faults for those without, and where there is no row at all."""
    rows: list[tuple[Mapping[str, Any], Mark, KeyPath]]
    if is_reference(node.value):
        read = rows_of(node)
        if read is None:
            return []
        rows = [(row.values, row.mark, ()) for row in read]
    else:
        rows = [(cells_of(item), item.mark, item.path) for item in node.items() if item.whole]
    if not rows and node.whole:
        node.fault("there are no cases", "give at least one row, or leave `cases` out")
    found: list[Case] = []
    taken: dict[str, Mark] = {}
    for values, mark, path in rows:
        case = _case(scenario, node, values, mark, path)
        if case is None:
            continue
        other = taken.setdefault(case.scenario_id.casefold(), mark)
        if other is not mark:
            taken_at = f"the id '{values['id']}' is taken at {other}"
            node.tree.problems.add(mark, path, taken_at, "give each case an id of its own")
            continue
        found.append(case)
    return found


def _case(scenario: str, node: Node, values: Mapping[str, Any], mark: Mark, path: KeyPath) -> Case | None:
    value = values.get("id")
    problems = node.tree.problems
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        problems.add(mark, path, "the case has no id", f"give it a column 'id': its scenario is then {scenario}-<id>")
        return None
    name = f"{scenario}-{value}"
    if not _SLUG.match(str(value)):
        problems.add(mark, path, f"the id '{value}' is no slug", "use letters, digits, '-' and '_' only")
        return None
    if len(name) > LONGEST_ID:
        remedy = f"a scenario's name has at most {LONGEST_ID}: shorten the id"
        problems.add(mark, path, f"'{name}' has {len(name)} characters", remedy)
        return None
    return Case(name, values, mark)
