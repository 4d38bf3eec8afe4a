"""What a sweep comes to at its end: an exit code, and the outputs that were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ..options import RunOptions
from ..report.junit import junit_xml
from ..report.outputs import clear_outputs, write_outputs
from ..report.results import results_json
from ..scopes import SweepScope
from ..scoring import exit_code


class Ending(Protocol):
    """How a kind of sweep ends; an interruption and lost evidence are seen to by the sweep itself."""

    def begin(self, options: RunOptions) -> None:
        """Before the first run. Raises UsageFault where an output could not be written at all."""
        ...

    def exit_code(self, sweep: SweepScope) -> int:
        """What the batches came to, of DESIGN 7."""
        ...

    def write(self, sweep: SweepScope, code: int) -> Sequence[str]:
        """Write the outputs; a line for each that could not be written."""
        ...


class RunEnding:
    """The end of ``wt run``: its batches gate."""

    def begin(self, options: RunOptions) -> None:
        clear_outputs(options)

    def exit_code(self, sweep: SweepScope) -> int:
        return exit_code(sweep.aggregates)

    def write(self, sweep: SweepScope, code: int) -> Sequence[str]:
        return write_outputs(
            sweep.options, code,
            junit=lambda: junit_xml(sweep.aggregates, sweep.store.root),
            json=lambda code: results_json(sweep.aggregates, sweep.sweep_id, code),
        )
