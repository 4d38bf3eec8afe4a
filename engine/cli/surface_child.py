"""The working side of ``wt surface``: record or compare, and tell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..event_loop import run_to_end
from ..options import RunOptions
from ..report.inert import inert
from ..report.streams import Streams
from ..surface.asked import Asked
from ..surface.check import Checked, check
from ..surface.record import record
from ..surface.told import lines_of, recorded_line, summary_line
from ..sweep.link import Link
from ..sweep.prepare import with_runs_dir
from .own_record import on_record


def looked_at(
    what: str, packs: tuple[str, ...], options: RunOptions, link: Link, *,
    golden: Path | None, scratch: Path, env: Mapping[str, str], folder: Path,
) -> int:
    """Return the exit code, which a file in ``scratch`` holds as well. ``what``: record, diff or check."""
    streams = Streams()
    asked = Asked(
        packs=packs, options=with_runs_dir(options, folder), golden=golden, store_text=options.store_text,
        env=env, folder=folder, scratch=scratch / "runs",
    )

    def work() -> int:
        return _record(asked, streams) if what == "record" else _compare(asked, streams, gate=what == "check")

    return on_record(scratch / "surface.json", link, streams, work)


def _record(asked: Asked, streams: Streams) -> int:
    recorded = run_to_end(record(asked))
    for file in recorded.files:
        if file.unread:
            streams.err(f"warning: {inert(file.unread.partition(';')[0], 1000)}; it is replaced")
    for file in recorded.files:
        streams.out(recorded_line(file))
    return recorded.interrupted


def _compare(asked: Asked, streams: Streams, *, gate: bool) -> int:
    checked = run_to_end(check(asked, gate=gate))
    if checked.diff is None:
        return checked.code
    for line in lines_of(checked.diff):
        streams.out(line)
    streams.out(summary_line(checked.diff))
    for line in checked.lost:
        streams.err(f"warning: {inert(line, 1000)}")
    if gate and checked.code == 1:
        streams.err(inert(_advice(checked)))
    return checked.code


def _advice(checked: Checked) -> str:
    shown = "" if checked.has_text else " (with --store-text, the next difference is shown in words)"
    return f"if that is meant, record it: {checked.remedy}{shown}"
