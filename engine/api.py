"""Run packs from Python: the same sweep as ``wt run``, in this process and without a supervising parent."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..schemas.documents import Pack
from ..schemas.errors import UsageFault
from .event_loop import run_to_end
from .loading.find import find_pack
from .loading.load import load_pack
from .options import RunOptions
from .progress import Progress, Silent
from .sweep.link import Link
from .sweep.prepare import prepare, with_runs_dir
from .sweep.run import SweepResult, run_sweep

AnyPack = Pack | str | Path


def run_pack(pack: AnyPack | Sequence[AnyPack], options: RunOptions | None = None, *,
             env: Mapping[str, str] | None = None, progress: Progress | None = None) -> SweepResult:
    """Run one pack or several and return the sweep's result; ``result.exit_code`` is what ``wt run`` would exit with.

    ``pack`` is a loaded Pack, a path, or the name of a built-in or installed pack. Raises DocumentFault with every
    fault of every document, and UsageFault for a selection or hook that does not hold; nothing has run then.
    """
    return run_to_end(arun_pack(pack, options, env=env, progress=progress))


async def arun_pack(pack: AnyPack | Sequence[AnyPack], options: RunOptions | None = None, *,
                    env: Mapping[str, str] | None = None, progress: Progress | None = None) -> SweepResult:
    """``run_pack`` for a caller that is async itself."""
    given = [pack] if isinstance(pack, Pack | str | Path) else list(pack)
    options = options or RunOptions()
    packs = [_loaded(one, options) for one in given]
    folder = Path.cwd()
    prepared = prepare(packs, with_runs_dir(options, folder),
                       env=dict(os.environ if env is None else env), folder=folder)
    return await run_sweep(prepared, progress or Silent(), Link())


def _loaded(pack: AnyPack, options: RunOptions) -> Pack:
    if not isinstance(pack, Pack):
        return load_pack(find_pack(pack), agents=options.added_agents)
    if options.added_agents:
        raise UsageFault(f"{pack.shown} is loaded already; give its agents to load_pack(path, agents=...)")
    return pack


def run_scenario(pack: AnyPack, scenario: str, options: RunOptions | None = None, *,
                 env: Mapping[str, str] | None = None, progress: Progress | None = None) -> SweepResult:
    """Run one scenario of a pack, by its id. Raises as ``run_pack``."""
    return run_to_end(arun_scenario(pack, scenario, options, env=env, progress=progress))


async def arun_scenario(pack: AnyPack, scenario: str, options: RunOptions | None = None, *,
                        env: Mapping[str, str] | None = None, progress: Progress | None = None) -> SweepResult:
    """``run_scenario`` for a caller that is async itself."""
    chosen = replace(options or RunOptions(), scenarios=(scenario,))
    return await arun_pack(pack, chosen, env=env, progress=progress)
