"""What a trial of hooks came to, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...hooks.trial import HookTrial
from ...schemas.codec import encode
from .inert import inert, squeezed

WIDE = 300


def trial_lines(event: str, rows: Sequence[HookTrial]) -> Iterator[str]:
    """A head line a hook, below it what it said, and a last line that counts. Every line is inert."""
    for row in rows:
        yield from _row(event, row)
    failed = sum(bool(row.faults) for row in rows)
    heard = sum(row.heard for row in rows)
    if not heard:
        yield f"nobody hears {event}; name a hook with --hook, or a pack"
    else:
        yield f"{event}: {heard} heard it, {failed} failed" if failed else f"{event}: {heard} heard it, none failed"


def _row(event: str, row: HookTrial) -> Iterator[str]:
    state = "FAULT" if row.faults else "ok   " if row.heard else "-    "
    yield f"{state} {inert(row.hook, 200)}  {inert(row.source, 200)}".rstrip()
    if not row.heard:
        yield f"      does not hear {event}"
    if row.answer:
        yield f"      {squeezed(row.answer, WIDE)}"
    for text in row.asked:
        yield f"      asks      {squeezed(text, WIDE)}"
    for artifact in row.artifacts:
        label = f" {artifact['label']}" if artifact["label"] else ""
        yield f"      emits{label}  {squeezed(encode(artifact['payload']).decode(), WIDE)}"
    for warning in row.warnings:
        yield f"      warns     {squeezed(warning, WIDE)}"
    for fault in row.faults:
        yield f"      fault     {squeezed(fault, WIDE * 2)}"
