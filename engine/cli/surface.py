"""``wt surface``: record what agents are shown, and tell what has changed since."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import RunOptions
from ..scratch import scratch
from .run_words import FILE, some_words
from .supervised import leave

EPILOG = """\b
Examples:
  wt surface record my_pack --agent '*'        every agent, in my_pack/pack.surface.json
  wt surface diff my_pack                      what has changed since
  wt surface check my_pack                     the same as a gate, for CI

\b
A surface is what an agent is shown before anybody speaks: its system prompt, its
tools in order, its guards, its sampling, its model. Sessions are opened as a run
opens them, and nothing is sent to any model. Without --agent it is the agent that
`wt run` takes, and those that the golden file covers.

\b
Exit codes: 0 recorded; for diff, compared; for check, all is as recorded; 1 check
found a difference; 2 usage or document fault, or a golden file that cannot be
compared with; 3 something could not be looked at or written; 70 a bug of ours;
130/143 interrupted.
"""
GOLDEN = click.option(
    "--golden", type=FILE, metavar="FILE", help="The golden file, if it is not where record puts it."
)
ONE = click.argument("pack", default=".", metavar="[PACK]")


@click.group("surface", epilog=EPILOG, help="Record what agents are shown, and tell what has changed.")
def command() -> None:
    """The group of the surface commands."""


@command.command("record", epilog=EPILOG, short_help="write what the agents of PACKs are shown into golden files")
@some_words("packs", "agents", "added_agents", "scenarios")
@click.option(
    "--out", type=FILE, metavar="FILE",
    help="The golden file; beside the pack's document if left out (pack.surface.json), "
    "or in this folder for a pack that is named.",
)
@click.option("--store-text", is_flag=True, help="Keep the texts too, so that a diff can show what changed in them.")
def record_command(packs: tuple[str, ...], out: Path | None, **words: Any) -> None:
    """Write what the agents of PACKs (. if left out) are shown into a golden file each.

    Recorded pairs of scenario and agent that are not selected stay as they are; those that the pack has no longer go.
    """
    _leave("record", packs or (".",), RunOptions(**words), out)


@command.command("diff", epilog=EPILOG, short_help="tell how PACK differs from its golden file")
@ONE
@some_words("agents", "added_agents", "scenarios", "json")
@GOLDEN
def diff_command(pack: str, golden: Path | None, **words: Any) -> None:
    """Tell, segment by segment, how PACK (. if left out) differs from its golden file; exit code 0 if it does, too."""
    _leave("diff", (pack,), RunOptions(**words), golden)


@command.command("check", epilog=EPILOG, short_help="fail if PACK differs from its golden file")
@ONE
@some_words("agents", "added_agents", "scenarios", "json")
@GOLDEN
def check_command(pack: str, golden: Path | None, **words: Any) -> None:
    """Gate on it: exit code 1 if PACK (. if left out) differs from its golden file."""
    _leave("check", (pack,), RunOptions(**words), golden)


def _leave(what: str, packs: tuple[str, ...], options: RunOptions, golden: Path | None) -> None:
    with scratch("wt-surface-") as folder:
        leave("surface_child", "looked_at", what, packs, options, golden=golden, scratch=Path(folder))
