"""Build the state probe of a pack, and tell what can be seen to be wrong with it without looking at any state."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from ...schemas.hook_documents import STATE_PROBE_TIMEOUT_S, StateProbeSpec
from ...schemas.problems import Source
from .node import Node


def state_probe_from(node: Node | None) -> StateProbeSpec | None:
    """The probe as it is declared; its own program is read, so that the digest of the pack covers it."""
    if node is None or not isinstance(node.value, dict) or not node.whole:
        return None
    probe = StateProbeSpec(
        command=tuple(node.plain("command", ())),
        url=node.plain("url", ""),
        files=tuple(node.plain("files", ())),
        timeout_s=float(node.plain("timeout_s", STATE_PROBE_TIMEOUT_S)),
        folder=node.mark.source.path.parent,
        mark=node.tree.marks.key(node.path),
    )
    _program(node.get("command"), probe)
    _address(node.get("url"), probe)
    return probe


def _program(node: Node | None, probe: StateProbeSpec) -> None:
    """A program named by a relative path is part of the pack; one that the system finds may be installed later."""
    if node is None or "/" not in probe.command[0] or os.path.isabs(probe.command[0]):
        return
    first = next(node.items())
    shown = os.path.normpath(os.path.join(os.path.dirname(node.mark.source.shown), probe.command[0]))
    source = Source(Path(os.path.normpath(probe.folder / probe.command[0])), shown)
    if node.tree.files.read(source, first.place) is not None and not os.access(source.path, os.X_OK):
        first.fault(f"{shown} may not be executed", f"chmod +x it, or name what runs it: [python3, {probe.command[0]}]")


def _address(node: Node | None, probe: StateProbeSpec) -> None:
    if node is None:
        return
    try:
        parts = urlsplit(probe.url)
        reached = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        sound = reached and parts.scheme in ("http", "https")
    except ValueError:
        sound = False
    if not sound:
        node.fault("this is not an address that can be asked for state", "write it like http://127.0.0.1:8080/state")
