"""Make the probe that a pack declares."""

from __future__ import annotations

from collections.abc import Mapping

from ...schemas.hook_documents import StateProbeSpec
from .command import CommandProbe
from .files import FilesProbe
from .snapshot import StateProbe
from .url import UrlProbe


def declared_probe(spec: StateProbeSpec, env: Mapping[str, str]) -> StateProbe:
    """``env`` is what a command is run with."""
    if spec.command:
        return CommandProbe(spec, env)
    return UrlProbe(spec) if spec.url else FilesProbe(spec)
