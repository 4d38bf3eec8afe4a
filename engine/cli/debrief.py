"""``wt debrief preview``: see what a debrief template says about a saved run, or a sample, without any agent."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import click

from ...hooks.debrief.library import find_template
from ...hooks.debrief.preview import preview
from ...hooks.debrief.sample import sample_score, sample_trace
from ...schemas.codec import CodecFault, decode
from ...schemas.errors import UsageFault
from ...schemas.input_file import read_input
from ...schemas.records import Trace
from ...schemas.scores import Score
from ..artifacts.walker import MOST_BYTES
from ..report.inert import inert

Record = TypeVar("Record", Trace, Score)


EPILOG = """\b
Examples:
  wt debrief preview environment_first                  the built-in template, against a sample
  wt debrief preview debriefs/mine.yaml --trace TRACE   one of yours, against a saved run
"""


@click.group("debrief", epilog=EPILOG, help="Look at debriefs: what a failed run's agent is asked.")
def command() -> None:
    """The group of the debrief commands."""


@command.command("preview", epilog=EPILOG, short_help="show what TEMPLATE would ask")
@click.argument("template")
@click.option("--trace", "trace_file", metavar="FILE", help="A saved trace; its score is read from beside it.")
def preview_command(template: str, trace_file: str | None) -> None:
    """Render TEMPLATE, a name or a path, against a saved run or a built-in sample."""
    found = find_template(template, said="wt debrief preview", folder=Path.cwd())
    trace, score = (sample_trace(), sample_score()) if trace_file is None else read_run(trace_file)
    for line in preview(found, trace, score).split("\n"):
        click.echo(inert(line))


def read_run(shown: str) -> tuple[Trace, Score]:
    """The trace in a file, and the score beside it. Raises UsageFault."""
    path = Path(shown)
    if "." in path.stem:
        raise UsageFault(f"{shown} is a sidecar; name the trace itself: <stem>.json")
    trace = _read(shown, Trace)
    beside = str(path.with_name(f"{path.stem}.score.json"))
    score = _read(beside, Score)
    if trace.run_id != score.run_id:
        raise UsageFault(f"{beside} is the score of another run than {shown}; name a trace with its own score")
    return trace, score


def _read(shown: str, kind: type[Record]) -> Record:
    what = kind.__name__.lower()
    try:
        return decode(read_input(shown, MOST_BYTES), kind)
    except OSError as error:
        raise UsageFault(f"{shown} cannot be read: {error.strerror}; name a {what} of a finished run") from None
    except CodecFault as fault:
        raise UsageFault(f"{shown} is not a {what}: {fault}; name one that wt wrote") from None
