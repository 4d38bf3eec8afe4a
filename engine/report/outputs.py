"""Write the outputs that were asked for beside the evidence; one that cannot be written is missing evidence.

What an earlier sweep left under the same name is removed before the first run: a stale report must not look new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ...schemas.bounded import describe_error
from ...schemas.errors import UsageFault
from ...schemas.records import Aggregate
from ..artifacts import files
from ..artifacts.store import RunsDirectory
from ..options import RunOptions
from .junit import junit_xml
from .results import results_json


def clear_outputs(options: RunOptions) -> None:
    """Remove stale outputs. Raises UsageFault where one cannot be written at all."""
    for flag, path in (("--junit", options.junit), ("--json", options.json)):
        if path is None:
            continue
        try:
            path.unlink(missing_ok=True)
            if not path.parent.is_dir():
                raise FileNotFoundError(2, "there is no such folder")
        except OSError as fault:
            raise UsageFault(
                f"{flag} {path}: cannot be written ({fault.strerror}); name a file in a folder that exists"
            ) from None


def write_outputs(
    options: RunOptions, aggregates: Sequence[Aggregate], store: RunsDirectory, sweep: str, exit_code: int
) -> list[str]:
    """Return one line for each requested output that could not be written."""
    lost: list[str] = []
    if options.junit is not None:
        lost += _write("--junit", options.junit, lambda: junit_xml(aggregates, store.root))
    if options.json is not None:
        code = 3 if lost and exit_code == 0 else exit_code
        lost += _write("--json", options.json, lambda: results_json(aggregates, sweep, code))
    return lost


def _write(flag: str, path: Path, content: Callable[[], bytes]) -> list[str]:
    try:
        files.replace(path, content())
    except OSError as fault:
        return [f"{flag} {path}: could not be written: {describe_error(fault)}"]
    return []
