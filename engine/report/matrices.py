"""Each matrix of a sweep as a table: how often each agent passed in each cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...schemas.cells import value_text
from ...schemas.sweeps import Aggregate, CellResult, MatrixResult
from .inert import inert

CHARS = 64
LEFT_OUT = "-"


def matrix_results(aggregates: Sequence[Aggregate]) -> list[MatrixResult]:
    """A result for each scenario with a matrix, in the order in which they were selected."""
    found: dict[tuple[str, str], list[CellResult]] = {}
    for row in aggregates:
        if isinstance(row.matrix_of, str) and isinstance(row.sampling, dict):
            found.setdefault((row.pack, row.matrix_of), []).append(CellResult(
                scenario_id=row.scenario_id, sampling=row.sampling, agent=row.agent, verdict=row.verdict,
                passed=row.counts.get("PASS", 0), runs=row.runs,
            ))
    return [MatrixResult(pack=pack, scenario_id=name, cells=cells) for (pack, name), cells in found.items()]


def matrix_lines(aggregates: Sequence[Aggregate]) -> Iterator[str]:
    """A headline for each matrix, then its table: a line a cell, the settings first and then each agent."""
    for matrix in matrix_results(aggregates):
        yield f"matrix {inert(matrix.pack, CHARS)}/{inert(matrix.scenario_id, 2 * CHARS)}"
        yield from _aligned(_table(matrix))


def _table(matrix: MatrixResult) -> list[list[str]]:
    """Rows of words; an agent that a cell was not run with is left out there."""
    agents = list(dict.fromkeys(cell.agent for cell in matrix.cells))
    passed = {(cell.scenario_id, cell.agent): _passed(cell) for cell in matrix.cells}
    cells = {cell.scenario_id: cell.sampling for cell in matrix.cells}
    return [
        [*next(iter(cells.values())), *agents],
        *([*map(value_text, sampling.values()), *(passed.get((name, agent), LEFT_OUT) for agent in agents)]
          for name, sampling in cells.items()),
    ]


def _passed(cell: CellResult) -> str:
    """How many passed; where that is no judgement of the agent, the verdict too."""
    if cell.verdict == "SKIPPED":
        return "skipped"
    judged = cell.verdict == "FAIL" or cell.verdict.startswith("PASS")
    return f"{cell.passed}/{cell.runs}" if judged else f"{cell.passed}/{cell.runs} {cell.verdict}"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    words = [[inert(word, CHARS) for word in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    for row in words:
        yield "  " + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
