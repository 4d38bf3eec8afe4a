"""Open a session for each pair and look at what it is shown; nothing is said in it, and nothing of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...schemas.documents import Pack
from ...schemas.surfaces import Surface
from ...schemas.sweeps import ArtifactRow
from ..exit_codes import is_interruption
from ..options import RunOptions
from ..progress import Silent
from ..scopes import BatchScope, RunOutcome
from ..sweep.link import Link
from ..sweep.prepare import prepare
from ..sweep.run import run_sweep
from ..sweep.select import Selection

SKELETON = "surface"
Key = tuple[str, str, str]
"""Pack, scenario and agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What was seen. ``unseen``: why a pair could not be looked at; ``interrupted``: the exit code of a signal."""

    surfaces: Mapping[Key, Surface]
    unseen: Mapping[Key, str]
    interrupted: int = 0


@dataclass(slots=True)
class _Notebook(Silent):
    surfaces: dict[Key, Surface] = field(default_factory=dict)
    reasons: dict[Key, str] = field(default_factory=dict)

    def run_done(
        self, batch: BatchScope, outcome: RunOutcome, artifacts: Sequence[ArtifactRow], warnings: Sequence[str]
    ) -> None:
        if batch.surface.sha256:
            self.surfaces[batch.key] = batch.surface
        else:
            self.reasons[batch.key] = outcome.reason


async def capture(
    packs: Sequence[Pack], selection: Selection, *, env: Mapping[str, str], folder: Path, scratch: Path
) -> Captured:
    """One sweep, a run a pair, whose files go to ``scratch``. Raises DocumentFault and UsageFault before it begins."""
    options = RunOptions(runs_dir=scratch, skeleton=SKELETON, store_text=True)
    prepared = prepare(packs, options, env=env, folder=folder, selection=_plain(selection))
    notebook = _Notebook()
    result = await run_sweep(prepared, notebook, Link())
    keys = [(pair.pack.name, pair.scenario.id, pair.agent.id) for pair in selection.pairs]
    return Captured(
        surfaces={key: notebook.surfaces[key] for key in keys if key in notebook.surfaces},
        unseen={key: notebook.reasons.get(key, "it was not looked at") for key in keys if key not in notebook.surfaces},
        interrupted=result.exit_code if is_interruption(result.exit_code) else 0,
    )


def _plain(selection: Selection) -> Selection:
    """Without turns, checks and weather: no judge or simulated user is asked, so none needs a key or an endpoint."""
    return replace(selection, pairs=tuple(
        replace(pair, scenario=replace(pair.scenario, turns=(), expect={}, perturb=())) for pair in selection.pairs
    ))
