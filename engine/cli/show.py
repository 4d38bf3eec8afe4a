"""``wt show TRACE``: one run as people read it: what was said, what was called, what was found."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.bounded import clean_text
from ...schemas.codec import encode_pretty
from ...schemas.errors import CodecFault, UsageFault
from ..artifacts.walker import Run, load_runs, read_run
from ..report.run_text import run_lines

EPILOG = """\b
Examples:
  wt show runs/first_flight/where_is_my_bag/careless      the newest run of a folder
  wt show runs/.../20260302T090000000000Z_1a2b3c4d.json   one run
  wt show TRACE --json                                    the trace and its score as JSON
"""


@click.command(epilog=EPILOG)
@click.argument("trace", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print trace, score and the names of the sidecars as JSON.")
def command(trace: Path, *, as_json: bool) -> None:
    """Show one run: TRACE is its file, a sidecar of it, or a folder (then its newest run)."""
    run = _found(trace)
    if as_json:
        shown = {"trace": run.trace, "score": run.score, "sidecars": [clean_text(path.name) for path in run.sidecars]}
        click.echo(encode_pretty(shown).decode(), nl=False)
        return
    for line in run_lines(run):
        click.echo(line)


def _found(path: Path) -> Run:
    """Raises UsageFault with what the path is not."""
    try:
        if path.is_dir():
            return _newest(path)
        trace = path.with_name(f"{path.name.partition('.')[0]}.json")
        if path.exists() and not trace.exists():
            raise UsageFault(f"{path}: is neither a trace nor a sidecar of one; name a trace below the runs directory")
        trace.stat()
        return read_run(trace)
    except OSError as fault:
        raise UsageFault(f"{path}: {fault.strerror or fault}; name a trace below the runs directory") from None
    except (CodecFault, ValueError) as fault:
        raise UsageFault(f"{fault}; name a trace that `wt run` wrote") from None


def _newest(folder: Path) -> Run:
    runs = load_runs(folder)
    newest = max(runs, key=lambda run: run.stem, default=None)
    if newest is None:
        told = f" ({runs.told()})" if runs.told() else ""
        raise UsageFault(f"{folder}: there is no run in it{told}; name a folder below the runs directory")
    return newest
