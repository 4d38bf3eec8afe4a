"""``wt doctor``: is the bench sound, is the agent there, and does a reset leave nothing?"""

from __future__ import annotations

from pathlib import Path

import click

from ..added_agents import AddedAgent
from ..scratch import scratch
from .run_words import some_words
from .supervised import leave

EPILOG = """\b
Examples:
  wt doctor                                    the pack of this folder, or the built-in example
  wt doctor my_pack --agent '*'                every agent of a pack
  wt doctor my_pack --json                     for a script
  wt doctor --model M --base-url U             is the endpoint there, and can its model be benched?

\b
It looks at: documents, runs directory, clock; and for each agent at its settings,
endpoint, reply, model, latency, tools, and whether a reset leaves something behind:
a nonce is planted in one session and asked for in another, and the pack's
`state_probe:` is looked through. Nothing is kept.

\b
Exit codes: 0 all is well; 1 a fault; 2 usage or document fault; 3 something could not
be checked; 70 a bug of ours; 130/143 interrupted.
"""


@click.command(epilog=EPILOG)
@click.argument("pack", required=False)
@some_words("agents", "added_agents", "runs_dir")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def command(
    pack: str | None, agents: tuple[str, ...], added_agents: tuple[AddedAgent, ...], runs_dir: Path, *, as_json: bool
) -> None:
    """Look whether PACK can be benched here: the bench, its agents, and their resets."""
    with scratch("wt-doctor-") as folder:
        leave(
            "doctor_child", "examined", pack, agents, added_agents,
            record=Path(folder) / "doctor.json", runs_dir=runs_dir, as_json=as_json,
        )
