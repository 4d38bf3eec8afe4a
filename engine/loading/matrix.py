"""One scenario for each cell of ``matrix``: ``<scenario>-<setting>-<value>``, setting by setting."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...schemas.cells import value_text
from ...schemas.scenario_documents import Scenario
from ..runtimes.sampling import RESERVED
from .cases import LONGEST_ID
from .node import Node

MOST_CELLS = 64
_CUT = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One combination of values, and what it adds to the id of its scenario."""

    name: str
    sampling: Mapping[str, Any]


def in_cells(scenarios: tuple[Scenario, ...], node: Node) -> tuple[Scenario, ...]:
    """Each scenario once for each cell; once in all, with faults, where the matrix does not hold."""
    cells = _cells(node)
    if not cells:  # its settings are known all the same: a script that reads one is not at fault too
        named = dict.fromkeys(node.value) if isinstance(node.value, dict) else {}
        return tuple(dataclasses.replace(each, sampling=named) for each in scenarios)
    longest = max((f"{each.id}-{cell.name}" for each in scenarios for cell in cells), key=len, default="")
    if len(longest) > LONGEST_ID:
        shown = longest if len(longest) <= _CUT else f"{longest[:_CUT]}..."
        remedy = f"a scenario's id has at most {LONGEST_ID}: shorten it, or take a setting out"
        node.fault(f"the cell '{shown}' has {len(longest)} characters", remedy)
    return tuple(_in_cell(each, cell) for each in scenarios for cell in cells)


def _in_cell(scenario: Scenario, cell: Cell) -> Scenario:
    name = f"{scenario.id}-{cell.name}"
    return dataclasses.replace(scenario, id=name, matrix_of=scenario.id, sampling=cell.sampling)


def _cells(node: Node) -> list[Cell]:
    """Every combination, the last setting changing first; none, with faults, where there are too many."""
    axes = [(key, _values(key, member)) for key, member in node.entries()]
    if not node.whole:
        return []
    count = math.prod(len(values) for _, values in axes)
    if count > MOST_CELLS:
        each = " x ".join(str(len(values)) for _, values in axes)
        told = f"{each} = {count} cells" if len(axes) > 1 else f"{count} cells"
        node.fault(f"the matrix has {told}", f"at most {MOST_CELLS} are run: take values out")
        return []
    return [_cell([key for key, _ in axes], chosen) for chosen in product(*(values for _, values in axes))]


def _cell(keys: list[str], chosen: tuple[tuple[str, Any], ...]) -> Cell:
    named = zip(keys, chosen, strict=True)
    return Cell(
        name="-".join(f"{key}-{name}" for key, (name, _) in named),
        sampling={key: value for key, (_, value) in zip(keys, chosen, strict=True)},
    )


def _values(key: str, node: Node) -> list[tuple[str, Any]]:
    """The values of a setting with their names, which differ in more than upper and lower case."""
    if key in RESERVED:
        instead = "give each model an agent of its own (extends)" if key == "model" else "take it out of the matrix"
        node.fault_at_key(f"'{key}' is set by the bench itself", instead)
    found: list[tuple[str, Any]] = []
    taken: dict[str, Any] = {}
    for item in node.items():
        name = _name(item.value)
        if (folded := name.casefold()) in taken:
            wrong = f"{_shown(item.value)} and {_shown(taken[folded])} would share a name"
            item.fault(f"{wrong}, {key}-{name}", "keep one of them")
            continue
        taken[folded] = item.value
        found.append((name, item.value))
    return found


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else value_text(value)


def _name(value: Any) -> str:
    """A value as part of an id: 0.7 is ``0_7``, -1 is ``minus1``, 1.0 is ``1``."""
    text = value_text(value)
    if isinstance(value, int | float) and text.startswith("-"):
        text = f"minus{text[1:]}"
    return text.replace(".", "_").replace("+", "")
