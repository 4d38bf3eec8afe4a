"""What one sweep is asked to do: the words of the command line, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

DEFAULT_JOBS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """A request for a sweep. Globs and tags select; "" and None mean as the pack says."""

    scenarios: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    runs: int | None = None
    jobs: int = DEFAULT_JOBS
    label: str = ""
    runs_dir: Path = Path("runs")
    skeleton: str = ""
    junit: Path | None = None
    json: Path | None = None
    deterministic: int | None = None

    def asked(self) -> dict[str, Any]:
        """The request as the sweep record keeps it: what was said, without where files go."""
        said = asdict(self)
        for place in ("runs_dir", "junit", "json"):
            said.pop(place)
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in said.items()
            if value not in ((), "", None)
        }
