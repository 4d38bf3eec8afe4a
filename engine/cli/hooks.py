"""``wt hooks``: what there is to observe and who could, and a trial of a hook or guard on one event without a run."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ...hooks.contract import Event, Limits
from ...hooks.errors import HookConfigError
from ...hooks.events import EVENTS
from ...hooks.guards import available_guards
from ...hooks.points import POINTS
from ...hooks.sources import available
from ...hooks.state.configure import NAME as STATE_PROBE
from ...hooks.trial import HookTrial, try_hooks
from ...hooks.trial_payload import trial_payload
from ...schemas.codec import CodecFault, decode, encode_pretty, to_plain
from ...schemas.documents import Pack
from ...schemas.errors import UsageFault
from ...schemas.input_file import read_input
from ...schemas.nearest import did_you_mean
from ..loading.find import find_pack
from ..loading.load import load_packs
from ..report.inert import inert
from ..report.trial_text import trial_lines
from .try_guards import guard_names, try_guards

MOST_BYTES = 16 << 20
SENDS_AWAY = "otel"  # would send the sample to a real collector; it is tried where it is named
SAMPLE_PACK = Pack(name="sample_pack", path=Path("sample_pack.yaml"), shown="the sample", agents={}, scenarios={})
EPILOG = """\b
Examples:
  wt hooks list my_pack.yaml
  wt hooks test on_run_scored --hook notes.py:Notes      against a sample run that failed
  wt hooks test post_tool_call --hook notes.py:Notes --payload call.json
  wt hooks test guard_tool_call my_pack.yaml             asks every guard of the pack

\b
Exit codes of test: 0 all heard it without a fault; 1 one failed; 2 an event, a hook or a payload that is not there.
"""


@click.group("hooks", epilog=EPILOG, help="List events, hooks and guards; try one on an event.")
def command() -> None:
    """The group of the hook commands."""


@command.command("list", short_help="list events with their fields, hooks and guards")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
def list_command(packs: tuple[str, ...]) -> None:
    """Events with their fields, fail mode and limits; hooks and guards with their source."""
    for line in listed(_loaded(packs)):
        click.echo(inert(line))


@command.command("test", epilog=EPILOG, short_help="fire EVENT once at hooks, without a run")
@click.argument("event")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@click.option(
    "--hook", "names", multiple=True, metavar="NAME", help="A hook, or for guard_tool_call a guard; repeatable."
)
@click.option("--payload", metavar="FILE", help="JSON with what to send in place of the sample's members.")
@click.option("--json", "as_json", is_flag=True, help="Print what came of it as JSON.")
def test_command(
    event: str, packs: tuple[str, ...], names: tuple[str, ...], payload: str | None, as_json: bool
) -> None:
    """Fire EVENT once at hooks, through the real dispatcher, with its sample. Nothing is run, and nothing written."""
    if event not in EVENTS:
        raise UsageFault(f"there is no event {event[:80]!r}; {did_you_mean(event, EVENTS, what='events')}")
    logging.getLogger("windtunnel").addHandler(logging.NullHandler())  # what it reports is told below
    loaded = _loaded(packs) or (SAMPLE_PACK,)
    given = {} if payload is None else _given(payload)
    sent = trial_payload(EVENTS[event], given)
    rows = [row for pack in loaded for row in _tried(event, names, pack, _in(pack, event, given, sent))]
    if as_json:
        click.echo(encode_pretty({"event": event, "payload": sent, "hooks": to_plain(rows)}).decode(), nl=False)
    else:
        for line in trial_lines(event, rows):
            click.echo(line)
    sys.exit(1 if any(row.faults for row in rows) else 0)


def listed(packs: Sequence[Pack]) -> Iterator[str]:
    """Three parts, one line a name."""
    yield "events"
    width = max(map(len, EVENTS))
    for event in EVENTS.values():
        sent = f"sends {', '.join(sorted(event.sample))}{_seen(event)}"
        yield f"  {event.name.ljust(width)}  {_limits(event)}; {sent}"
    limits = Limits()
    yield (
        f"  After a timeout a callback is left alone for {limits.quiet_s:g} s, and with {limits.max_abandoned} calls "
        f"that hang until one ends; on_stream_* are queued, {limits.queue_size} a hook."
    )
    for title, found in (("hooks", available(packs)), ("guards", available_guards(packs))):
        yield title
        width = max(map(len, found), default=0)
        yield from (f"  {name.ljust(width)}  {source}" for name, source in found.items())
        if not found:
            yield "  none"


def _seen(event: Event) -> str:
    return f"; ctx has {', '.join(POINTS[event.name].members)}" if event.name in POINTS else ""


def _limits(event: Event) -> str:
    seconds = Limits().timeout_s if event.timeout_s is None else event.timeout_s
    deadline = f"{seconds:g} s" if event.bounded else "no deadline"
    return f"{'fails closed' if event.policy else 'fails open'}; {deadline}; one at a time a {event.identity}"


def _tried(event: str, names: Sequence[str], pack: Pack, sent: Mapping[str, Any]) -> list[HookTrial]:
    """The hooks that are named, as a run would have them; else every one there is, each by itself."""
    folder, env = Path.cwd(), dict(os.environ)
    if EVENTS[event].policy:
        rows = try_guards(names or list(available_guards([pack])), pack, sent, folder=folder)
        sources = available_guards([pack])
    elif names:
        rows, sources = try_hooks(event, names, pack, sent, env=env, folder=folder), available([pack])
    else:
        sources = available([pack])
        blind = () if pack.state_probe is not None else (STATE_PROBE,)  # it would have nothing to look at
        tried = [name for name in sources if name not in (SENDS_AWAY, *blind)]
        rows = [row for name in tried for row in _alone(event, name, pack, sent)]
    for row, asked in zip(rows, names or [row.hook for row in rows], strict=True):
        row.source = sources.get(row.hook, "" if asked == row.hook else asked)
    return rows if names else [row for row in rows if row.heard]


def _alone(event: str, name: str, pack: Pack, sent: Mapping[str, Any]) -> list[HookTrial]:
    try:
        return try_hooks(event, [name], pack, sent, env=dict(os.environ), folder=Path.cwd())
    except HookConfigError as fault:
        return [HookTrial(hook=name, faults=[str(fault)])]


def _in(pack: Pack, event: str, given: Mapping[str, Any], sent: Mapping[str, Any]) -> Mapping[str, Any]:
    """A guard of a pack may ask for any of its tables: the sample's world is that of the pack, rows as declared."""
    if not EVENTS[event].policy or "world" in given or not guard_names(pack):
        return sent
    return {**sent, "world": {name: [dict(row) for row in table.rows] for name, table in pack.world.tables.items()}}


def _given(shown: str) -> dict[str, Any]:
    try:
        data = read_input(shown, MOST_BYTES)
        found = decode(data) if len(data) <= MOST_BYTES else None
    except OSError as error:
        raise UsageFault(f"{shown} cannot be read: {error.strerror}; name a file with a JSON object") from None
    except CodecFault as fault:
        raise UsageFault(f"{shown} is not JSON: {fault}; name a file with a JSON object") from None
    if not isinstance(found, dict):
        raise UsageFault(f"{shown} holds no JSON object of at most {MOST_BYTES >> 20} MiB; write what to send as one")
    return found


def _loaded(packs: Sequence[str]) -> Sequence[Pack]:
    """The packs that are named, or that of this folder, if it has one."""
    try:
        here = packs or (".",) if packs or find_pack(".").is_file() else ()
    except UsageFault:
        here = ()
    return load_packs(map(find_pack, here))
