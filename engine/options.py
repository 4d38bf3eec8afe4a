"""What one sweep is asked to do: the words of the command line, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from .added_agents import AddedAgent

DEFAULT_JOBS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """A request for a sweep. Globs and tags select; "" and None mean as the pack says.

    ``added_agents`` are given to every pack; where there are any, they run unless ``agents`` picks others.
    ``store_text``: traces keep the text of what an agent is shown, and not its hashes alone.
    """

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
    added_agents: tuple[AddedAgent, ...] = ()
    store_text: bool = False

    def asked(self) -> dict[str, Any]:
        """The request as the sweep record keeps it: what was said, without where files go, and agents come from."""
        said = asdict(replace(self, added_agents=()))
        for place in ("runs_dir", "junit", "json", "added_agents"):
            said.pop(place)
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in said.items()
            if value not in ((), "", None) and value is not False
        }
