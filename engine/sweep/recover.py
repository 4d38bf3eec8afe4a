"""Tell the truth about a sweep whose child died: count the runs on disk, call the rest NOT_RUN, close the record.

Imports the standard library alone: the parent of a sweep must stay small.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...schemas.input_file import read_input
from ..artifacts.files import replace

MOST_BYTES = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A score that the child was about to write, below the runs directory; ``gates``: its FAIL is exit 1."""

    score: str
    gates: bool


def complete_exit_code(record: str) -> int | None:
    """The exit code of a complete record; None where it says anything else, or cannot be read."""
    data = _read(Path(record))
    if data is None or data.get("state") != "complete":
        return None
    code = data.get("exit_code")
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def recover(record: str, expected: Sequence[Expected], how: str) -> int:
    """Close the record as ``died``; return 1 if a run on disk failed its gate, else 3."""
    path = Path(record)
    counts: Counter[str] = Counter()
    failed = False
    for one in expected:
        score = _read(path.parent / one.score)
        if score is not None:
            verdict = str(score.get("verdict"))
            counts[verdict] += 1
            failed = failed or (verdict == "FAIL" and one.gates)
    code = 1 if failed else 3
    data = _read(path)
    if data is not None:
        missing = max(0, int(data.get("planned_runs", 0)) - counts.total())
        if missing:
            counts["NOT_RUN"] += missing
        data |= {"state": "died", "exit_code": code, "counts": dict(sorted(counts.items())), "note": how}
        try:
            replace(path, json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n")
        except OSError:
            pass  # the record stays `running`, which is never green either
    return code


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(read_input(path, MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
