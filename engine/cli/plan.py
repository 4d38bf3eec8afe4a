"""``wt plan``: what a run would do, step by step, with the facts that hold and the hooks that will fire."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ...hooks.hook_set import HookSet
from ...schemas.cells import cell_text
from ...schemas.documents import Pack
from ..loading.find import find_pack
from ..loading.load import load_packs
from ..options import RunOptions
from ..report.inert import inert
from ..skeleton.contracts import FACT_MEANING
from ..skeleton.steps import PlannedStep, Skeleton
from ..sweep.prepare import Prepared, prepare
from .run_words import run_words

EPILOG = """\b
Examples:
  wt plan first_flight --hook debrief
  wt plan . --scenario 'refund_*' --agent '*'
  wt plan recovery --agent-file my_agents.yaml

\b
One step a line: its name, what it is, the facts that hold when it begins, and the hooks that fire there.
Then one line a batch, and one for each pair of scenario and agent that is left out, with the reason.
"""


@click.command(epilog=EPILOG)
@run_words
def command(packs: tuple[str, ...], **words: Any) -> None:
    """Print what `wt run` with the same words would do. No agent, process or socket is touched."""
    options = RunOptions(**words)
    loaded = load_packs(map(find_pack, packs or (".",)), agents=options.added_agents)
    prepared = prepare(loaded, options, env=dict(os.environ), folder=Path.cwd())
    for pack in prepared.packs:
        skeleton = prepared.skeletons[pack.name]
        for line in (*steps(skeleton, pack, prepared.hooks), *batches(prepared, pack)):
            click.echo(line)


def steps(skeleton: Skeleton, pack: Pack, hooks: HookSet) -> Iterator[str]:
    """One line a step of the compiled order."""
    width = max(len(step.name) + 2 * step.depth for step in skeleton.planned)
    for step in skeleton.planned:
        facts = " ".join(fact for fact in FACT_MEANING if fact in step.facts) or "-"
        firing = _firing(step, pack, hooks)
        name = f"{'  ' * step.depth}{step.name}".ljust(width)
        yield f"{name}  {step.kind:<5}  facts: {facts}{firing}"


def _firing(step: PlannedStep, pack: Pack, hooks: HookSet) -> str:
    if step.kind != "point":
        return ""
    names = hooks.listening(step.name, None if step.level == "sweep" else pack.name)
    return f"  hooks: {' '.join(names)}" if names else ""


def batches(prepared: Prepared, pack: Pack) -> Iterator[str]:
    """One line a batch, then one a pair that is left out."""
    for pair in prepared.selection.pairs:
        if pair.pack.name == pack.name:
            skipped = f"  skipped: {inert(pair.scenario.skip, 200)}" if pair.scenario.skip is not None else ""
            cell = f"  sampling: {inert(cell_text(pair.scenario.sampling), 200)}" if pair.scenario.sampling else ""
            yield f"batch  {pack.name}  {pair.scenario.id}  {pair.agent.id}  runs: {pair.scenario.runs}{cell}{skipped}"
    for left in prepared.selection.excluded:
        if left.pack == pack.name:
            yield f"excluded  {pack.name}  {left.scenario}  {left.agent}  {inert(left.reason, 200)}"
