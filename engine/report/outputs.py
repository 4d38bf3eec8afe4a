"""Write the outputs that were asked for beside the evidence; one that cannot be written is missing evidence."""

from __future__ import annotations

from collections.abc import Sequence

from ...schemas.records import Aggregate
from ..artifacts.store import RunsDirectory
from ..options import RunOptions


def write_outputs(options: RunOptions, aggregates: Sequence[Aggregate], store: RunsDirectory, sweep: str, exit_code: int) -> list[str]:
    """Return one line for each requested output that could not be written."""
    return []
