"""How the files of the runs directory are called; a stem with a dot is a sidecar, never a trace."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from datetime import datetime

from ..clock import stamp

TRACE_NAME = re.compile(r"\A(?P<stem>\d{8}T\d{12}Z_[0-9a-f]{8}(?:-\d+)?)\.json\Z")
LEDGER = "ledger.ndjson"
APART = "selftest.runs"
"""Below a runs directory: what `wt selftest` leaves, which is no result of any agent. A pack's name holds no dot."""


def run_stem(started: datetime, run_id: str) -> str:
    """``<YYYYMMDDTHHMMSSffffffZ>_<run_id[:8]>``."""
    return f"{stamp(started)}_{run_id[:8]}"


def numbered(name: str, first: int = 1) -> Iterator[str]:
    """The name, then ``name-2``, ``name-3`` and so on: nothing is ever replaced. ``first``: begin with that number."""
    for number in itertools.count(first):
        yield name if number == 1 else f"{name}-{number}"


def run_artifact(stem: str, hook: str, label: str) -> str:
    """The stem of a run's hook artifact, ``.json`` left off."""
    return ".".join(part for part in (stem, hook, label) if part)


def pack_artifact(sweep: str, hook: str, scenario_id: str, label: str) -> str:
    """The stem of a scenario's or pack's hook artifact, ``.pack.json`` left off."""
    return ".".join(part for part in (sweep, hook, scenario_id, label) if part)
