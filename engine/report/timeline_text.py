"""Draw a run's timeline as lines of text: one row an event, with a bar for its time within the run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ...schemas.codec import UNSET, CodecFault, decode
from ...schemas.counted import counted
from ...schemas.input_file import read_input
from ...schemas.observations import TIMELINE_VERSION, Timeline, TimelineEntry
from .inert import inert, squeezed

WIDTH = 40
MOST_ROWS = 200
MOST_BYTES = 4 << 20
MOST_MS = 1e12  # some 30 years: a file may say what it likes
SUFFIX = ".timeline.json"


def timeline_lines(trace: Path) -> Iterator[str]:
    """The timeline beside a trace, nothing where there is none. In plain characters, which read the same anywhere."""
    path = trace.with_suffix(SUFFIX)
    try:
        timeline = _read(path)
    except FileNotFoundError:
        return
    except (OSError, CodecFault) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else fault
        yield f"timeline {inert(path.name)} cannot be read: {squeezed(str(reason), 200)}"
        return
    yield from drawn(timeline)


def drawn(timeline: Timeline) -> Iterator[str]:
    """A head line, then the rows."""
    rows = timeline.entries[:MOST_ROWS]
    end_ms = max((_end(entry) for entry in timeline.entries), default=0.0)
    told = len(timeline.entries) + timeline.more
    yield f"timeline {counted(told, 'event')} in {end_ms / 1000:.3f} s"
    names = [squeezed(_name(entry), 44) for entry in rows]
    width = max(map(len, names), default=0)
    for entry, name in zip(rows, names, strict=True):
        yield f"  {_at(entry) / 1000:9.3f} |{_bar(entry, end_ms)}| {name.ljust(width)}  {_facts(entry)}".rstrip()
    if told > len(rows):
        yield f"  ... and {told - len(rows)} more"


def _read(path: Path) -> Timeline:
    data = read_input(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise CodecFault(f"larger than {MOST_BYTES >> 20} MiB")
    timeline = decode(data, Timeline)
    if timeline.schema_version != TIMELINE_VERSION:
        raise CodecFault(f"schema_version {timeline.schema_version}; this version reads {TIMELINE_VERSION}")
    return timeline


def _at(entry: TimelineEntry) -> float:
    return min(max(entry.at_ms, 0.0), MOST_MS)


def _took(entry: TimelineEntry) -> float:
    return 0.0 if entry.duration_ms is UNSET else min(max(float(entry.duration_ms), 0.0), MOST_MS)


def _end(entry: TimelineEntry) -> float:
    return _at(entry) + _took(entry)


def _bar(entry: TimelineEntry, end_ms: float) -> str:
    """What takes time is at least one ``=`` long, a point is a ``|``, and what never ended runs to the end as ``-``."""
    begin = min(WIDTH - 1, int(_column(_at(entry), end_ms)))
    if entry.kind == "point":
        return (" " * begin + "|").ljust(WIDTH)
    if entry.duration_ms is UNSET:
        return (" " * begin).ljust(WIDTH, "-")
    return (" " * begin + "=" * max(1, min(WIDTH, round(_column(_end(entry), end_ms))) - begin)).ljust(WIDTH)


def _column(ms: float, end_ms: float) -> float:
    """Divided first: the scale itself would be infinite where the run is over in less than a number can hold."""
    return WIDTH * (ms / end_ms) if end_ms > 0 else 0.0


def _name(entry: TimelineEntry) -> str:
    if entry.kind == "point":
        return entry.name
    if entry.kind == "aux":
        return f"aux {entry.aux_task or ''} {entry.name or entry.agent or ''}"
    return f"{entry.kind} {entry.name or entry.agent or ''}"


def _facts(entry: TimelineEntry) -> str:
    """What is known of a call, in a fixed order."""
    if entry.kind == "point":
        return ""
    took = "no end" if entry.duration_ms is UNSET else f"{_took(entry) / 1000:.3f} s"
    facts = [took, "" if entry.status in (UNSET, "ok") else str(entry.status)]
    if entry.retry_count:
        facts.append(f"retry {entry.retry_count}")
    if entry.messages is not UNSET:
        facts.append(counted(entry.messages, "message"))
    if entry.input_tokens is not UNSET and entry.output_tokens is not UNSET:
        facts.append(f"{entry.input_tokens} -> {entry.output_tokens} tokens")
    if entry.args_bytes is not UNSET:
        facts.append(f"{entry.args_bytes} B -> {entry.result_chars or entry.error_chars or 0} chars")
    if entry.chunks is not UNSET:
        facts.append(counted(entry.chunks, "piece"))
    return inert("  ".join(fact for fact in facts if fact))
