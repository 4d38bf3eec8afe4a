"""``wt run``: run scenarios, and say with the exit code whether a change may ship."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import click

from ..options import DEFAULT_JOBS, RunOptions
from ..sweep.link import Link
from ..sweep.supervise import supervise

EPILOG = """\b
Examples:
  wt run first_flight                          the built-in example
  wt run my_pack.yaml --hook debrief           and ask the agent why it failed
  wt run . --scenario 'refund_*' --runs 10     ten tries of some scenarios
  wt run . --agent '*' --junit report.xml      every agent, with a report for CI

\b
Exit codes: 0 everything passed; 1 a gate failed; 2 usage or document fault;
3 no gate failed but some evidence is missing; 70 a bug of ours; 130/143 interrupted.
"""


@click.command(epilog=EPILOG, short_help="run scenarios and gate on the result")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@click.option("--scenario", "scenarios", multiple=True, metavar="GLOB", help="Only scenarios whose id matches; repeatable.")
@click.option("--tag", "tags", multiple=True, metavar="T", help="Only scenarios with this tag (any of them, if repeated).")
@click.option("--agent", "agents", multiple=True, metavar="GLOB", help="These agents instead of the default one; repeatable.")
@click.option("--hook", "hooks", multiple=True, metavar="NAME",
              help="Activate a hook: built-in, declared in the pack, installed, module:attr or file.py:attr; repeatable, in firing order.")
@click.option("--runs", type=int, metavar="N", help="Runs of each scenario, instead of what the pack says.")
@click.option("--jobs", type=int, default=DEFAULT_JOBS, show_default=True, metavar="N", help="Runs at once.")
@click.option("--label", default="", metavar="L", help="A word kept with the results, such as a commit.")
@click.option("--runs-dir", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, metavar="DIR", help="Where the evidence goes.")
@click.option("--skeleton", default="", metavar="S", help="Another run skeleton: a name or a path.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Also write JUnit XML.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Also write the results as JSON.")
@click.option("--deterministic", type=int, metavar="SEED", help="Take ids, times and random numbers from this seed.")
def command(packs: tuple[str, ...], json_file: Path | None, **words: object) -> None:
    """Run the scenarios of one or more PACKs (a path, or the name of a built-in or installed pack; . if left out)."""
    options = RunOptions(json=json_file, **words)  # type: ignore[arg-type]  # click gives each its declared type
    sys.exit(supervise(lambda link: work(packs or (".",), options, link)))


def work(packs: tuple[str, ...], options: RunOptions, link: Link) -> int:
    """In the child: everything heavy is imported from here on."""
    child = importlib.import_module(".run_child", __package__)
    code: int = child.run_packs(packs, options, link, env=dict(os.environ), folder=Path.cwd())
    return code
