"""The results of a sweep as one JSON document (``--json``), for whatever reads them next."""

from __future__ import annotations

from collections.abc import Sequence

from ...schemas.codec import UNSET, encode_pretty
from ...schemas.sweeps import Aggregate, SweepResults
from .matrices import matrix_results


def results_json(aggregates: Sequence[Aggregate], sweep: str, exit_code: int) -> bytes:
    """Rows as in the ledger, with the sweep they belong to, the exit code they came to, and each matrix by cells."""
    return encode_pretty(SweepResults(
        sweep=sweep, exit_code=exit_code, results=list(aggregates), matrices=matrix_results(aggregates) or UNSET,
    ))
