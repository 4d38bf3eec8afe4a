"""``wt validate``: check documents and tell every fault of all of them at once."""

from __future__ import annotations

import os
import sys

import click

from ...schemas.errors import UsageFault
from ..loading.find import find_pack
from ..loading.validate import validate_paths
from ..report.all_problem_reports import PROBLEM_REPORTS

EPILOG = """\b
Examples:
  wt validate my_pack.yaml                     a pack, with everything that it names
  wt validate                                  the pack.yaml here, or every document below
  wt validate skeletons/mine.yaml debriefs/*   skeletons and debriefs on their own
  wt validate --format github                  marks the lines of a pull request

\b
Exit codes: 0 all documents hold; 2 a fault.
"""


@click.command(epilog=EPILOG, short_help="check packs, skeletons and debriefs")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(PROBLEM_REPORTS)),
    default="text",
    show_default=True,
    help="How faults are told.",
)
def command(paths: tuple[str, ...], form: str) -> None:
    """Check packs, parts, skeletons and debriefs, without running anything.

    PATH is a document, a folder, or the name of a built-in or installed pack; . if left out.
    """
    validation = validate_paths(_meant(path) for path in paths or (".",))
    for line in PROBLEM_REPORTS[form](validation):
        click.echo(line)
    sys.exit(2 if validation.problems else 0)


def _meant(path: str) -> str:
    """The path itself, or the file of the pack of that name; what is neither is told as a path that cannot be read."""
    if os.path.lexists(path) or os.sep in path:
        return path
    try:
        return str(find_pack(path))
    except UsageFault:
        return path
