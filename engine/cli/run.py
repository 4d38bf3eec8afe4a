"""``wt run``: run scenarios, and say with the exit code whether a change may ship."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import click

from ..options import RunOptions
from ..sweep.link import Link
from ..sweep.supervise import supervise
from .run_words import run_words

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
    sys.exit(supervise(lambda link: work(packs or (".",), RunOptions(**words), link)))


def work(packs: tuple[str, ...], options: RunOptions, link: Link) -> int:
    """In the child: everything heavy is imported from here on. A bug of ours ends in a report that can be pasted."""
    try:
        child = importlib.import_module(".run_child", __package__)
        code: int = child.run_packs(packs, options, link, env=dict(os.environ), folder=Path.cwd())
    except Exception as error:  # noqa: BLE001 - the boundary of the working side
        faults = importlib.import_module(".faults", __package__)
        sys.stderr.write(faults.bug_report(error, sys.argv[1:]))
        code = 70
        link.early(code)
    return code
