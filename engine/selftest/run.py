"""Play the references of packs as a sweep of its own, whose evidence and results stay apart from every agent's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...schemas.documents import Pack
from ...schemas.selftests import SelftestResults
from ..artifacts.names import APART
from ..event_loop import run_to_end
from ..loading.find import find_pack
from ..loading.load import load_pack
from ..options import RunOptions
from ..progress import Progress, Silent
from ..sweep.link import Link
from ..sweep.prepare import Prepared, prepare, with_runs_dir
from ..sweep.run import SweepResult, run_sweep
from .ending import SelftestEnding
from .notebook import Notebook
from .selection import Subject, selection_of, subjects_of

SKELETON = "selftest"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelftestResult:
    """``exit_code`` is what ``wt selftest`` exits with; ``sweep`` is the sweep in which the references were played."""

    results: SelftestResults
    exit_code: int
    sweep: SweepResult


def run_selftest(
    pack: Pack | str | Path | Sequence[Pack | str | Path], options: RunOptions | None = None, *,
    mutate: bool = False, env: Mapping[str, str] | None = None,
) -> SelftestResult:
    """Certify the scenarios of one pack or several; of ``options``, agents, hooks, runs and skeleton say nothing here.

    ``mutate`` also asks of each check whether some poison needs it. Raises DocumentFault and UsageFault; nothing has
    been played then.
    """
    given = [pack] if isinstance(pack, Pack | str | Path) else list(pack)
    packs = [one if isinstance(one, Pack) else load_pack(find_pack(one)) for one in given]
    folder = Path.cwd()
    subjects, prepared = prepare_selftest(
        packs, options or RunOptions(), env=dict(os.environ if env is None else env), folder=folder
    )
    return run_to_end(play(subjects, prepared, Silent(), Link(), mutate=mutate))


def prepare_selftest(
    packs: Sequence[Pack], options: RunOptions, *, env: Mapping[str, str], folder: Path
) -> tuple[tuple[Subject, ...], Prepared]:
    """What is to be certified, and the sweep that plays it. Raises DocumentFault and UsageFault."""
    subjects = subjects_of(packs, options)
    asked = replace(options, agents=(), hooks=(), runs=None, skeleton=SKELETON)
    placed = with_runs_dir(asked, folder)
    apart = replace(placed, runs_dir=placed.runs_dir / APART)
    return subjects, prepare(packs, apart, env=env, folder=folder, selection=selection_of(subjects))


async def play(
    subjects: Sequence[Subject], prepared: Prepared, progress: Progress, link: Link, *, mutate: bool
) -> SelftestResult:
    """Play every reference and judge what it shows."""
    notebook = Notebook(progress)
    ending = SelftestEnding(subjects, notebook, mutate=mutate)
    sweep = await run_sweep(prepared, notebook, link, ending)
    results = ending.results(sweep.record.sweep, sweep.exit_code)
    return SelftestResult(results=results, exit_code=sweep.exit_code, sweep=sweep)
