"""Record what the agents of a pack are shown, and compare with it, from Python."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...schemas.surfaces import SurfaceDiff
from ..added_agents import AddedAgent
from ..event_loop import run_to_end
from ..options import RunOptions
from ..scratch import scratch
from .asked import Asked
from .check import check
from .record import SurfaceRecording, record

PREFIX = "wt-surface-"


def record_surface(
    pack: str | Path, *, agents: Sequence[str] = (), scenarios: Sequence[str] = (),
    added_agents: Sequence[AddedAgent] = (), golden: Path | None = None, store_text: bool = False,
    env: Mapping[str, str] | None = None,
) -> SurfaceRecording:
    """Write the golden file of a pack, which is named by a path or a name; as ``wt surface record``.

    ``agents`` and ``scenarios`` are globs; ``golden`` left out: beside the pack's document. Raises DocumentFault and
    UsageFault before anything is looked at, and EvidenceMissing where a session or the file could not be had.
    """
    words = RunOptions(agents=tuple(agents), scenarios=tuple(scenarios), added_agents=tuple(added_agents))
    with scratch(PREFIX) as folder:
        recorded = run_to_end(record(_asked(pack, words, golden, env, folder, store_text=store_text)))
    if recorded.interrupted:
        raise KeyboardInterrupt
    return recorded.files[0]


def check_surface(
    pack: str | Path, *, agents: Sequence[str] = (), scenarios: Sequence[str] = (),
    added_agents: Sequence[AddedAgent] = (), golden: Path | None = None, env: Mapping[str, str] | None = None,
) -> SurfaceDiff:
    """What differs from the golden file; ``exit_code`` is what ``wt surface check`` would exit with.

    Selects as ``record_surface`` does. Raises DocumentFault, and UsageFault also for a golden file that cannot be
    compared with: a pack is never as recorded where nothing was compared.
    """
    words = RunOptions(agents=tuple(agents), scenarios=tuple(scenarios), added_agents=tuple(added_agents))
    with scratch(PREFIX) as folder:
        checked = run_to_end(check(_asked(pack, words, golden, env, folder), gate=True))
    if checked.diff is None:
        raise KeyboardInterrupt
    return checked.diff


def _asked(
    pack: str | Path, options: RunOptions, golden: Path | None, env: Mapping[str, str] | None, scratch: str, *,
    store_text: bool = False,
) -> Asked:
    return Asked(
        packs=(os.fspath(pack),), options=options, golden=golden, store_text=store_text,
        env=dict(os.environ if env is None else env), folder=Path.cwd(), scratch=Path(scratch),
    )
