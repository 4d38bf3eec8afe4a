"""``wt run``: run scenarios, and say with the exit code whether a change may ship."""

from __future__ import annotations

from typing import Any

import click

from ..options import RunOptions
from .run_words import run_words
from .supervised import leave

EPILOG = """\b
Examples:
  wt run first_flight                          the built-in example
  wt run my_pack.yaml --hook debrief           and ask the agent why it failed
  wt run . --scenario 'refund_*' --runs 10     ten tries of some scenarios
  wt run . --agent '*' --junit report.xml      every agent, with a report for CI
  wt run tool_affordance --model M --base-url http://127.0.0.1:8080/v1 --hook debrief
                                               a model of your own, in any pack
  wt run recovery --agent-file my_agents.yaml  agents of your own, from a file

\b
Exit codes: 0 everything passed; 1 a gate failed; 2 usage or document fault;
3 no gate failed but some evidence is missing; 70 a bug of ours; 130/143 interrupted.
"""


@click.command(epilog=EPILOG)
@run_words
def command(packs: tuple[str, ...], **words: Any) -> None:
    """Run the scenarios of one or more PACKs (a path, or the name of a built-in or installed pack; . if left out)."""
    leave("run_child", "run_packs", packs or (".",), RunOptions(**words))
